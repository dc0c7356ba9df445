package loader_test

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"testing"

	"touchline/shared/loader"
	"touchline/shared/store"
	"touchline/shared/testdata/seed"
)

// What the first load of a federation writes for a player, its share of clubs,
// competitions and matches included: DynamoDB bills it, and a local engine's
// time goes by it. A load of S came to 3.55 items and 3,026 bytes.
const (
	itemsAPlayer = 3.8
	bytesAPlayer = 3300
)

// TestScaleOfLoads holds that what a load writes grows with the federation and
// no faster: at S, and at 10 S where TOUCHLINE_SCALE asks for it.
func TestScaleOfLoads(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 10,000 players: make test-all runs it")
	}
	largest, err := strconv.Atoi(os.Getenv("TOUCHLINE_SCALE"))
	if err != nil {
		largest = 1
	}
	for _, size := range []int{1, 10} {
		if size > largest {
			break
		}
		t.Run(fmt.Sprint(size, " S"), func(t *testing.T) {
			s := inEngine(t)
			report := load(t, s, seeded(t, size), loader.Options{})
			used, players := s.table.Meter.Total(), float64(report.Players.Created)
			items, bytes := float64(used.ItemsWritten)/players, 0.0
			err := s.table.Scan(t.Context(), func(item store.Item) error {
				bytes += float64(store.Size(item)) / players
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d items for %.0f players: %.2f items and %.0f bytes each", used.ItemsWritten, players, items, bytes)
			if report.Players.Created != 10_000*size || report.Matches.Created != 2_500*size {
				t.Errorf("loaded %+v", *report)
			}
			if items > itemsAPlayer || bytes > bytesAPlayer {
				t.Errorf("a player takes %.2f items and %.0f bytes, at most %v and %v are allowed", items, bytes, itemsAPlayer, bytesAPlayer)
			}
		})
	}
}

// seeded is the synthetic federation of a size, its finished matches with details
// one in ten.
func seeded(t testing.TB, size int) fs.FS {
	t.Helper()
	return os.DirFS(seed.Write(t, seed.Options{Size: size, Details: 10}))
}
