package loader_test

import (
	"encoding/json"
	"os"
	"testing"
	"testing/fstest"

	"touchline/shared/loader"
)

// bound is what a change of one match may cost in write units, whatever the
// season holds (design.md, Measures).
const bound = 40

// A match without line-ups, as most of a league's: every step of its life. One more
// takes 37 units, its kick-off 31, a goal 20, its end 35.
func TestTheLifeOfAMatchIsCheap(t *testing.T) {
	s := inEngine(t)
	load(t, s, os.DirFS(austria(t)), loader.Options{})
	m := fields{
		"id": "at.2/2025/live", "competitionId": "at.2", "season": 2025, "status": "upcoming", "round": 20,
		"kickoffAt": "2026-03-01T15:00:00Z", "homeTeamId": "at.2/2025/Austria Lustenau", "awayTeamId": "at.2/2025/Austria Klagenfurt",
	}
	s.costs(t, "one more match", m)
	m["status"], m["score"] = "live", fields{"home": 0, "away": 0}
	s.costs(t, "kick-off", m)
	m["score"], m["events"] = fields{"home": 1, "away": 0}, []fields{{"type": "goal", "minute": 12, "side": "home"}}
	s.costs(t, "a goal", m)
	m["status"] = "finished"
	s.costs(t, "the end", m)
	s.unchanged(t, one(t, m))
}

func (s *sports) costs(t *testing.T, what string, m fields) {
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
