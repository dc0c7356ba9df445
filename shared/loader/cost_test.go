package loader_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"touchline/shared/loader"
)

// bound is what a change of one match may cost in write units, whatever the
// season holds (design.md, Measures).
const bound = 60

// A match without line-ups, as most of a league's: every step of its life. That
// there is one more costs a little more, since lists grow by it.
func TestTheLifeOfAMatchIsCheap(t *testing.T) {
	s := inEngine(t)
	load(t, s, os.DirFS(austria(t)), loader.Options{})
	m := fields{
		"id": "at.2/2025/live", "competitionId": "at.2", "season": 2025, "status": "upcoming", "round": 20,
		"kickoffAt": "2026-03-01T15:00:00Z", "homeTeamId": "at.2/2025/Austria Lustenau", "awayTeamId": "at.2/2025/Austria Klagenfurt",
	}
	s.costs(t, "one more match", m, bound+10)
	m["status"], m["score"] = "live", fields{"home": 0, "away": 0}
	s.costs(t, "kick-off", m, bound)
	m["score"], m["events"] = fields{"home": 1, "away": 0}, []fields{{"type": "goal", "minute": 12, "side": "home"}}
	s.costs(t, "a goal", m, bound)
	m["status"] = "finished"
	s.costs(t, "the end", m, bound+4) // its journal also holds the seasons of both teams
	s.unchanged(t, one(t, m))
}

// A live score with line-ups: the scorer's and the assistant's own lists change
// too, and nobody else's.
func TestALiveScoreWithLineUpsIsCheap(t *testing.T) {
	s := inEngine(t)
	dir := austria(t)
	load(t, s, os.DirFS(dir), loader.Options{})
	m := recordOf(t, filepath.Join(dir, "matches.ndjson.gz"), "at.1/2025/LASK Linz-SK Sturm Graz")
	m["status"] = "live"
	events := m["events"].([]any)
	m["events"], m["score"] = events[:1], fields{"home": 0, "away": 1}
	load(t, s, one(t, m), loader.Options{})
	m["events"], m["score"] = events[:2], fields{"home": 0, "away": 2}
	s.costs(t, "a goal", m, bound)
	delete(m, "lineups")
	m["events"] = []any{}
	load(t, s, one(t, m), loader.Options{})
	m["events"] = events[:1]
	s.costs(t, "a goal without line-ups", m, bound)
}

// Where players begin or cease to have played, each has a list of matches,
// statistics, and places in rankings of his own: a step of a match's life costs
// what it does without line-ups, and so much for each of them.
func TestLineUpsCostByThePlayer(t *testing.T) {
	s := inEngine(t)
	dir := austria(t)
	load(t, s, os.DirFS(dir), loader.Options{})
	m := recordOf(t, filepath.Join(dir, "matches.ndjson.gz"), "at.1/2025/LASK Linz-SK Sturm Graz")
	lineUps, events, score := m["lineups"].(map[string]any), m["events"], m["score"]
	players := 0.0
	for _, side := range []string{"home", "away"} {
		team := lineUps[side].(map[string]any)
		players += float64(len(team["starting"].([]any)) + len(team["bench"].([]any)))
	}
	m["score"] = fields{"home": 0, "away": 3}
	s.costs(t, "another result", m, bound)

	m["status"] = "upcoming"
	for _, name := range []string{"lineups", "events", "score"} {
		delete(m, name)
	}
	load(t, s, one(t, m), loader.Options{})
	m["lineups"] = lineUps
	s.costs(t, "line-ups", m, bound+8*players)
	m["status"], m["score"] = "live", fields{"home": 0, "away": 0}
	s.costs(t, "kick-off", m, bound+2*players)
	m["events"], m["score"] = events, score
	s.costs(t, "all that happens, at once", m, bound+players)
	m["status"] = "finished"
	s.costs(t, "the end", m, bound+10*players)
}

func (s *sports) costs(t *testing.T, what string, m fields, bound float64) {
	t.Helper()
	s.table.Meter.Reset()
	load(t, s, one(t, m), loader.Options{})
	used := s.table.Meter.Total()
	t.Logf("%s: %v write units, %v read units, %d round trips", what, used.WriteUnits, used.ReadUnits, used.Trips)
	if used.WriteUnits == 0 || used.WriteUnits > bound {
		t.Errorf("%s costs %v write units, want at most %v", what, used.WriteUnits, bound)
	}
}

func one(t testing.TB, m fields) fstest.MapFS {
	t.Helper()
	line, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{"matches.ndjson": &fstest.MapFile{Data: line}}
}

// recordOf finds a record of a compressed file.
func recordOf(t testing.TB, file, id string) fields {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	plain, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r fields
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r["id"] == id {
			return r
		}
	}
	t.Fatalf("%s holds no %s", file, id)
	return nil
}
