package standings_test

import (
	"fmt"
	"runtime"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// A table of head to head is made for as many levels as there are teams, where each takes
// out one: a chain in which everybody beats the next. None is kept for the next level.
func TestTablesOfHeadToHeadAreNotKept(t *testing.T) {
	const teams = 4000
	in := standings.Input{Rules: rules(headToHead(sport.ByPoints), sport.ByName)}
	for i := range teams {
		in.Teams = append(in.Teams, standings.TeamEntry{ID: sport.ID(fmt.Sprint(i)), NameKey: fmt.Append(nil, i)})
	}
	for i := range teams - 1 {
		in.Matches = append(in.Matches, sport.Match{Status: sport.Finished, Score: &sport.Score{Home: 1}, HomeTeamID: in.Teams[i].ID, AwayTeamID: in.Teams[i+1].ID})
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapSys
	}
	before := heap()
	rows, _ := standings.Explain(in)
	if grown := (heap() - before) >> 20; grown > 100 {
		t.Errorf("the heap grew by %d MB", grown)
	}
	for i, r := range rows {
		if r.TeamID != in.Teams[i].ID {
			t.Fatalf("place %d has team %s", i+1, r.TeamID)
		}
	}
}
