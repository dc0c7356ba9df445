package sport_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
)

// What a match of 90 minutes, of extra time and with a shoot-out is worth to its sides.
func TestResults(t *testing.T) {
	score := func(home, away int) *sport.Score { return &sport.Score{Home: home, Away: away} }
	hockey := sport.Rules{Win: 3, Draw: 1, ExtraTimeWin: new(2), ExtraTimeLoss: new(1), ShootoutWin: new(2), ShootoutLoss: new(1)}
	margins := sport.Rules{Win: 3, Draw: 1, Margins: []sport.Margin{{By: 1, Win: new(2), Loss: new(1)}}}
	for name, tt := range map[string]struct {
		rules      sport.Rules
		match      sport.Match
		home, away sport.Result
		ending     string // of the home side; empty: nobody asks
	}{
		"won":                                     {hockey, sport.Match{Score: score(2, 1)}, sport.Result{Lead: 1, Points: 3}, sport.Result{Lead: -1}, "won"},
		"drawn":                                   {hockey, sport.Match{Score: score(1, 1)}, sport.Result{Points: 1}, sport.Result{Points: 1}, "drawn"},
		"after extra time":                        {hockey, sport.Match{Score: score(1, 2), ExtraTime: true}, sport.Result{Lead: -1, Points: 1}, sport.Result{Lead: 1, Points: 2}, "lost after extra time"},
		"by a shoot-out":                          {hockey, sport.Match{Score: score(1, 1), Penalties: score(3, 2)}, sport.Result{Lead: 1, Points: 2}, sport.Result{Lead: -1, Points: 1}, "won by a shoot-out"},
		"a shoot-out without points":              {margins, sport.Match{Score: score(1, 1), Penalties: score(3, 2)}, sport.Result{Points: 1}, sport.Result{Points: 1}, "drawn"},
		"within a margin":                         {margins, sport.Match{Score: score(2, 1)}, sport.Result{Lead: 1, Points: 2}, sport.Result{Lead: -1, Points: 1}, "won by up to 1"},
		"above a margin":                          {margins, sport.Match{Score: score(3, 1)}, sport.Result{Lead: 1, Points: 3}, sport.Result{Lead: -1}, "won"},
		"a ruling":                                {hockey, sport.Match{Score: score(2, 1), Winner: sport.WinnerAway}, sport.Result{Lead: -1}, sport.Result{Lead: 1, Points: 3}, "lost"},
		"lost by both":                            {hockey, sport.Match{Score: score(0, 0), Winner: sport.WinnerNone}, sport.Result{Lead: -1}, sport.Result{Lead: -1}, ""},
		"a winner that the score has":             {hockey, sport.Match{Score: score(2, 1), Winner: sport.WinnerHome, ExtraTime: true}, sport.Result{Lead: 1, Points: 2}, sport.Result{Lead: -1, Points: 1}, "won after extra time"},
		"points of its own":                       {hockey, sport.Match{Score: score(2, 1), Points: score(1, 5)}, sport.Result{Lead: 1, Points: 1}, sport.Result{Lead: -1, Points: 5}, "won"},
		"a draw that the shoot-out contradicts":   {hockey, sport.Match{Score: score(1, 1), Penalties: score(3, 2), Winner: sport.WinnerDraw}, sport.Result{Points: 1}, sport.Result{Points: 1}, "drawn"},
		"a winner by a shoot-out without points":  {margins, sport.Match{Score: score(1, 1), Penalties: score(2, 3), Winner: sport.WinnerAway}, sport.Result{Points: 1}, sport.Result{Points: 1}, "drawn"},
		"a margin of extra time that has a price": {sport.Rules{Win: 3, ExtraTimeWin: new(2), Margins: margins.Margins}, sport.Match{Score: score(2, 1), ExtraTime: true}, sport.Result{Lead: 1, Points: 2}, sport.Result{Lead: -1, Points: 1}, "won after extra time"},
	} {
		home, away := tt.rules.Results(&tt.match)
		ending := tt.rules.Ending(&tt.match, home.Lead)
		if home != tt.home || away != tt.away || tt.ending != "" && ending != tt.ending {
			t.Errorf("%s: %+v and %+v, %s", name, home, away, ending)
		}
	}
}

func TestBlocksOfHeadToHead(t *testing.T) {
	block := sport.Block{Criteria: []sport.TieBreaker{sport.ByPoints, sport.ByWon}, Once: true, AllPlayed: true}
	if got, ok := sport.HeadToHead(block).Block(); !ok || !cmp.Equal(got, block) {
		t.Errorf("%+v", got)
	}
	if _, ok := sport.ByHeadToHeadPoints.Block(); ok {
		t.Error("an older name is a block by itself")
	}
	list := []sport.TieBreaker{sport.ByPoints, sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalDiff, sport.ByWon, sport.ByHeadToHeadGoalsFor}
	want := []sport.TieBreaker{sport.ByPoints, "headToHead:points,goalDiff", sport.ByWon, "headToHead:goalsFor"}
	if diff := cmp.Diff(want, sport.Blocks(list)); diff != "" {
		t.Error(diff)
	}
	if !sport.Uses(want, sport.ByGoalDiff) || sport.Uses(want, sport.BySeed) {
		t.Error("what a block uses is not found, or something else is")
	}
}

// Matches of a team that has withdrawn, from a day on.
func TestRulings(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 15, 0, 0, 0, time.UTC) }
	c := sport.Competition{Withdrawals: []sport.Withdrawal{
		{TeamID: "w", Matches: sport.MatchesAwarded, From: day(5), Goals: 3}, {TeamID: "x", Matches: sport.MatchesAnnulled}, {TeamID: "y", Matches: sport.MatchesAwarded, Goals: 2},
	}}
	for name, tt := range map[string]struct {
		home, away sport.ID
		on         int
		want       string
	}{
		"before the day":    {"w", "a", 4, "finished 1:1 draw"},
		"at home":           {"w", "a", 5, "finished 0:3 away"},
		"away":              {"a", "w", 6, "finished 3:0 home"},
		"annulled":          {"a", "x", 1, "postponed 1:1 none"},
		"annulled for one":  {"w", "x", 6, "postponed 1:1 none"},
		"awarded to nobody": {"w", "y", 6, "finished 0:0 none"},
		"of others":         {"a", "b", 6, "finished 1:1 draw"},
	} {
		given := sport.Match{HomeTeamID: tt.home, AwayTeamID: tt.away, Kickoff: day(tt.on), Status: sport.Finished, Score: &sport.Score{Home: 1, Away: 1}, Winner: sport.WinnerDraw, ExtraTime: true}
		m := c.Ruled(&given)
		if got := fmt.Sprintf("%s %d:%d %s", m.Status, m.Score.Home, m.Score.Away, m.Winner); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
		if awarded := m.Status == sport.Finished && m != &given; awarded == m.ExtraTime {
			t.Errorf("%s: extra time %v", name, m.ExtraTime)
		}
	}
}
