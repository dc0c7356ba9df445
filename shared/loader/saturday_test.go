package loader_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/loader"
	"touchline/shared/testdata/seed"
)

// What a goal may cost where many matches have one in the same minute, the lease,
// the journal and the history included: write units, items written and items read.
// The loads of 20, 40 and 100 came to 17.6 at most, 8.4 and 50: each goal reads the players of
// its match, and the first assist of a match its season.
const (
	goalUnits   = 23
	goalItems   = 12
	goalLookups = 60
)

// On a Saturday every match of a league is under way. Here each of them has a goal, and one
// dataset brings them all. TOUCHLINE_SCALE asks for those of a national federation.
func TestScaleOfAGoalInEveryMatch(t *testing.T) {
	matches := 20
	if os.Getenv("TOUCHLINE_SCALE") != "" {
		matches = 4000
	}
	s := inEngine(t)
	before, goals := saturday(t, matches)
	load(t, s, before, loader.Options{})
	s.scoreEverywhere(t, goals, matches)
	once := newSports(t)
	load(t, once, played(t, before, goals), loader.Options{})
	if diff := difference(once.dump(t), s.dump(t)); diff != "" {
		t.Errorf("at once (-) and with the goals in a second load (+):\n%.2000s", diff)
	}
}

// scoreEverywhere loads the goals of so many matches, and holds what they cost.
func (s *sports) scoreEverywhere(t *testing.T, goals fs.FS, matches int) {
	t.Helper()
	s.table.Meter.Reset()
	if report := load(t, s, goals, loader.Options{}); report.Matches.Changed != matches {
		t.Fatalf("%+v, want %d changed", report.Matches, matches)
	}
	used := s.table.Meter.Total()
	units, items := used.WriteUnits/float64(matches), float64(used.ItemsWritten)/float64(matches)
	lookups := float64(used.ItemsRead) / float64(matches)
	t.Logf("%d matches: %.2f write units and %.2f items each, %.1f items read (%.1f units), in %d round trips", matches, units, items, lookups, used.ReadUnits/float64(matches), used.Trips)
	if trips := 50 + 2*matches; lookups > goalLookups || used.Trips > trips {
		t.Errorf("a goal takes %.1f items read, and all %d round trips, at most %d and %d are allowed", lookups, used.Trips, goalLookups, trips)
	}
	if units == 0 || units > goalUnits || items > goalItems {
		t.Errorf("a goal costs %.2f write units and %.2f items, at most %v and %v are allowed", units, items, goalUnits, goalItems)
	}
}

// saturday is a federation with so many matches under way, and these as they are
// once each has had another goal.
func saturday(t testing.TB, matches int) (before, goals fs.FS) {
	t.Helper()
	o := seed.Options{Live: matches, Details: 10}
	before = os.DirFS(seed.Write(t, o))
	o.Goals = true
	return before, os.DirFS(seed.Write(t, o))
}

// played is a dataset in which some matches are as another has them.
func played(t testing.TB, before, goals fs.FS) fs.FS {
	t.Helper()
	matches := map[string]string{}
	for _, files := range []fs.FS{before, goals} {
		for line := range strings.Lines(matchesOf(t, files)) {
			var r struct {
				ID string `json:"id"`
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			matches[r.ID] = line
		}
	}
	lines := slices.Collect(maps.Values(matches))
	all := fstest.MapFS{"matches.ndjson": &fstest.MapFile{Data: []byte(strings.Join(lines, ""))}}
	for _, name := range []string{"organizations.ndjson", "competitions.ndjson", "teams.ndjson", "players.ndjson"} {
		text, err := fs.ReadFile(before, name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	return all
}

func matchesOf(t testing.TB, files fs.FS) string {
	t.Helper()
	text, err := fs.ReadFile(files, "matches.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// BenchmarkAGoalInEveryMatch is 4,000 goals at once in the file, as
// touchline import brings them (20 s are the bound).
func BenchmarkAGoalInEveryMatch(b *testing.B) {
	const matches = 4000
	before, goals := saturday(b, matches)
	l := onFile(b)
	if _, err := l.Load(b.Context(), before, loader.Options{}); err != nil {
		b.Fatal(err)
	}
	text := matchesOf(b, goals)
	withdrawn := live(b, before)
	for n := 0; b.Loop(); n++ { // the goals, and back
		files := fstest.MapFS{"matches.ndjson": &fstest.MapFile{Data: []byte([]string{text, withdrawn}[n%2])}}
		report, err := l.Load(b.Context(), files, loader.Options{})
		if err != nil || report.Matches.Changed != matches {
			b.Fatal(report, err)
		}
	}
}

// live are the matches of a dataset that are under way.
func live(t testing.TB, files fs.FS) string {
	t.Helper()
	var text strings.Builder
	for line := range strings.Lines(matchesOf(t, files)) {
		if strings.Contains(line, `"status":"live"`) {
			text.WriteString(line)
		}
	}
	return text.String()
}
