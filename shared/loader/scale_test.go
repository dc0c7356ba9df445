package loader_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"touchline/shared/engine"
	"touchline/shared/loader"
	"touchline/shared/seed"
	"touchline/shared/store"
	"touchline/shared/store/direct"
	"touchline/shared/store/records"
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
			s := newSports(t)
			report := load(t, s, seeded(t, size), loader.Options{})
			used, players := s.table.Meter.Total(), float64(report.Players.Created)
			items, bytes := float64(used.ItemsWritten)/players, float64(used.BytesWritten)/players
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
	dir := t.TempDir()
	if _, err := seed.Write(dir, seed.Options{Size: size, Details: 10}); err != nil {
		t.Fatal(err)
	}
	return os.DirFS(dir)
}

// withoutMatches hides the matches of a dataset.
type withoutMatches struct{ fs.FS }

func (w withoutMatches) Open(name string) (fs.File, error) {
	if name == "matches.ndjson.gz" || name == "matches.ndjson" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return w.FS.Open(name)
}

func (w withoutMatches) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(w.FS, name)
	var kept []fs.DirEntry
	for _, e := range entries {
		if e.Name() != "matches.ndjson.gz" {
			kept = append(kept, e)
		}
	}
	return kept, err
}

// BenchmarkLoad is the load of 100,000 players into an embedded engine that
// keeps its data in a file, as touchline import does it (design.md, Measures:
// 60 s).
func BenchmarkLoad(b *testing.B) {
	dataset := seeded(b, 10)
	for name, files := range map[string]fs.FS{"with matches": dataset, "without matches": withoutMatches{dataset}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				l := embedded(b)
				b.StartTimer()
				if _, err := l.Load(b.Context(), files, loader.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(100_000*float64(b.N)/b.Elapsed().Seconds(), "players/s")
		})
	}
}

// embedded is a loader into an engine as touchline serve runs it.
func embedded(b *testing.B) *loader.Loader {
	b.Helper()
	e, err := engine.Start(b.Context(), engine.Options{DBPath: filepath.Join(b.TempDir(), "touchline.db")})
	if errors.Is(err, engine.ErrNotFound) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := e.Stop(); err != nil {
			b.Error(err)
		}
	})
	client, err := store.NewClient(b.Context(), store.Settings{Endpoint: e.Endpoint})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := client.CreateTable(b.Context(), records.SportsTable("sports")); err != nil {
		b.Fatal(err)
	}
	return &loader.Loader{
		Table: &store.Table{DB: store.Atomic{Transactor: direct.New(client)}, Name: "sports"},
		Lease: &store.Lease{DB: client, Table: "sports", Key: records.LockKey(), Holder: "bench", Label: "a benchmark", Now: time.Now},
	}
}
