package ingest_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"touchline/shared/loader"
	"touchline/shared/seed"
	"touchline/shared/store"
)

// goalUnits is what a goal may cost in write units where many matches have one in
// the same minute (package loader), however they are spread over drops.
const goalUnits = 25

// On a Saturday every match of two leagues is under way. Here each of them has a
// goal, and they come in several drops.
func TestGoalsInDropsAreCheap(t *testing.T) { goalsInDrops(t, 20, 4) }

// TestScaleOfGoalsInDrops is the same of a national federation: 4,000 matches in 60
// drops where TOUCHLINE_SCALE asks for it.
func TestScaleOfGoalsInDrops(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 2,400 players: make test-all runs it")
	}
	if os.Getenv("TOUCHLINE_SCALE") != "" {
		goalsInDrops(t, 4000, 60)
		return
	}
	goalsInDrops(t, 60, 6)
}

func goalsInDrops(t *testing.T, matches, drops int) {
	w := worldOf(t, inEngine(t))
	w.Worker.NewLease = func() *store.Lease {
		l := w.lease()
		l.Meter = w.Worker.Table.Meter
		return l
	}
	o, before, after := seed.Options{Live: matches, Details: 10}, t.TempDir(), t.TempDir()
	if _, err := seed.Write(before, o); err != nil {
		t.Fatal(err)
	}
	if _, err := seed.WriteGoals(after, o); err != nil {
		t.Fatal(err)
	}
	w.drop("before", "", filesOf(t, before))
	w.load("before")
	w.loaded("before")
	goals := slices.Collect(strings.Lines(plainOf(t, filesOf(t, after)["matches.ndjson.gz"])))
	units, changed := 0.0, 0
	for n := range drops {
		folder := fmt.Sprint("goals-", n)
		from, to := len(goals)*n/drops, len(goals)*(n+1)/drops
		w.drop(folder, "", map[string]string{"matches.ndjson": strings.Join(goals[from:to], "")})
		if w.load(folder) {
			t.Fatalf("the message goes back: %v", w.lastLine())
		}
		changed += w.loaded(folder).Matches.Changed
		units += w.lastLine()["writeUnits"].(float64)
	}
	t.Logf("%d matches in %d drops: %.2f write units each", matches, drops, units/float64(matches))
	if changed != matches || units == 0 || units/float64(matches) > goalUnits {
		t.Errorf("%d of %d matches changed at %.2f write units each, at most %v are allowed", changed, matches, units/float64(matches), goalUnits)
	}
	w.drop("all", "", filesOf(t, after))
	w.load("all")
	if again := w.loaded("all"); again.Matches.Unchanged != matches || again.Entries != 0 {
		t.Errorf("all goals at once after those in drops: %+v", again)
	}
	l := loader.Loader{Table: w.Worker.Table, Lease: w.lease()}
	report, err := l.Check(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(report.Differences); n > 0 {
		t.Errorf("%d differences from one load, such as %v", n, report.Differences[0])
	}
}

// filesOf are the files of a folder.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	return files
}

func plainOf(t *testing.T, packed string) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader([]byte(packed)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
