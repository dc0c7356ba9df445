package standings_test

import (
	"fmt"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// BenchmarkTableLevelOnEverything is the worst case of the tie-breakers: 400
// teams and 40,000 goalless matches, so that every criterion reaches them all.
func BenchmarkTableLevelOnEverything(b *testing.B) {
	in := standings.Input{Rules: rules(
		sport.ByPoints, sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalDiff, sport.ByHeadToHeadGoalsFor, sport.ByGoalDiff,
	)}
	const size, games = 400, 100
	for i := range size {
		id := fmt.Sprintf("team %03d", i)
		in.Teams = append(in.Teams, standings.TeamEntry{ID: sport.ID(id), NameKey: []byte(id)})
	}
	for i := range size {
		for j := range games {
			in.Matches = append(in.Matches, sport.Match{
				HomeTeamID: in.Teams[i].ID, AwayTeamID: in.Teams[(i+j+1)%size].ID,
				Status: sport.Finished, Score: &sport.Score{},
			})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		standings.Table(in)
	}
}
