package sport_test

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

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
		"won":                                       {hockey, sport.Match{Score: score(2, 1)}, sport.Result{Lead: 1, Points: 3}, sport.Result{Lead: -1}, "won"},
		"drawn":                                     {hockey, sport.Match{Score: score(1, 1)}, sport.Result{Points: 1}, sport.Result{Points: 1}, "drawn"},
		"after extra time":                          {hockey, sport.Match{Score: score(1, 2), ExtraTime: true}, sport.Result{Lead: -1, Points: 1}, sport.Result{Lead: 1, Points: 2}, "lost after extra time"},
		"by a shoot-out":                            {hockey, sport.Match{Score: score(1, 1), Penalties: score(3, 2)}, sport.Result{Lead: 1, Points: 2}, sport.Result{Lead: -1, Points: 1}, "won by a shoot-out"},
		"a shoot-out without points":                {margins, sport.Match{Score: score(1, 1), Penalties: score(3, 2)}, sport.Result{Points: 1}, sport.Result{Points: 1}, "drawn"},
		"within a margin":                           {margins, sport.Match{Score: score(2, 1)}, sport.Result{Lead: 1, Points: 2}, sport.Result{Lead: -1, Points: 1}, "won by up to 1"},
		"above a margin":                            {margins, sport.Match{Score: score(3, 1)}, sport.Result{Lead: 1, Points: 3}, sport.Result{Lead: -1}, "won"},
		"a ruling":                                  {hockey, sport.Match{Score: score(2, 1), Winner: sport.WinnerAway}, sport.Result{Lead: -1}, sport.Result{Lead: 1, Points: 3}, "lost"},
		"lost by both":                              {hockey, sport.Match{Score: score(0, 0), Winner: sport.WinnerNone}, sport.Result{Lead: -1}, sport.Result{Lead: -1}, ""},
		"a winner that the score has":               {hockey, sport.Match{Score: score(2, 1), Winner: sport.WinnerHome, ExtraTime: true}, sport.Result{Lead: 1, Points: 2}, sport.Result{Lead: -1, Points: 1}, "won after extra time"},
		"points of its own":                         {hockey, sport.Match{Score: score(2, 1), Points: score(1, 5)}, sport.Result{Lead: 1, Points: 1}, sport.Result{Lead: -1, Points: 5}, "won"},
		"a draw that the shoot-out contradicts":     {hockey, sport.Match{Score: score(1, 1), Penalties: score(3, 2), Winner: sport.WinnerDraw}, sport.Result{Points: 1}, sport.Result{Points: 1}, "drawn"},
		"a winner by a shoot-out without points":    {margins, sport.Match{Score: score(1, 1), Penalties: score(2, 3), Winner: sport.WinnerAway}, sport.Result{Points: 1}, sport.Result{Points: 1}, "drawn"},
		"within a margin, away":                     {margins, sport.Match{Score: score(1, 2)}, sport.Result{Lead: -1, Points: 1}, sport.Result{Lead: 1, Points: 2}, "lost by up to 1"},
		"a draw has no margin":                      {margins, sport.Match{Score: score(1, 1)}, sport.Result{Points: 1}, sport.Result{Points: 1}, "drawn"},
		"of two margins the first that fits":        {sport.Rules{Win: 3, Margins: []sport.Margin{{By: 5, Loss: new(1)}, {By: 1, Win: new(2)}}}, sport.Match{Score: score(1, 0)}, sport.Result{Lead: 1, Points: 3}, sport.Result{Lead: -1, Points: 1}, "won by up to 5"},
		"a shoot-out that only a win has points of": {sport.Rules{Win: 3, Draw: 1, ShootoutWin: new(7), Margins: margins.Margins}, sport.Match{Score: score(2, 2), Penalties: score(5, 4)}, sport.Result{Lead: 1, Points: 7}, sport.Result{Lead: -1, Points: 1}, "won by a shoot-out"},
		"a ruling that it was drawn":                {margins, sport.Match{Score: score(4, 0), Winner: sport.WinnerDraw}, sport.Result{Points: 1}, sport.Result{Points: 1}, ""},
		"a ruling after extra time":                 {hockey, sport.Match{Score: score(1, 2), Winner: sport.WinnerHome, ExtraTime: true}, sport.Result{Lead: 1, Points: 3}, sport.Result{Lead: -1}, ""},
		"a ruling against the shoot-out":            {hockey, sport.Match{Score: score(1, 1), Penalties: score(4, 2), Winner: sport.WinnerAway}, sport.Result{Lead: -1}, sport.Result{Lead: 1, Points: 3}, ""},
		"a shoot-out of a second leg":               {hockey, sport.Match{Score: score(0, 1), Penalties: score(4, 2), Winner: sport.WinnerHome}, sport.Result{Lead: -1}, sport.Result{Lead: 1, Points: 3}, "lost"},
		"lost by both, which costs":                 {sport.Rules{Win: 3, Loss: -1}, sport.Match{Score: score(4, 0), Winner: sport.WinnerNone}, sport.Result{Lead: -1, Points: -1}, sport.Result{Lead: -1, Points: -1}, ""},
		"a margin of extra time that has a price":   {sport.Rules{Win: 3, ExtraTimeWin: new(2), Margins: margins.Margins}, sport.Match{Score: score(2, 1), ExtraTime: true}, sport.Result{Lead: 1, Points: 2}, sport.Result{Lead: -1, Points: 1}, "won after extra time"},
	} {
		home, away := tt.rules.Results(&tt.match)
		ending := tt.rules.Ending(&tt.match, home.Lead)
		if home != tt.home || away != tt.away || tt.ending != "" && ending != tt.ending {
			t.Errorf("%s: %+v and %+v, %s", name, home, away, ending)
		}
	}
}

func TestTheWinnerOfAMatch(t *testing.T) {
	score := func(home, away int) *sport.Score { return &sport.Score{Home: home, Away: away} }
	for name, tt := range map[string]struct {
		match sport.Match
		given sport.Winner
		want  sport.Winner
	}{
		"home by score":               {sport.Match{Score: score(2, 1)}, "", sport.WinnerHome},
		"away by score":               {sport.Match{Score: score(0, 1)}, "", sport.WinnerAway},
		"draw":                        {sport.Match{Score: score(1, 1)}, "", sport.WinnerDraw},
		"away by shoot-out":           {sport.Match{Score: score(0, 0), Penalties: score(2, 4)}, "", sport.WinnerAway},
		"score before shoot-out":      {sport.Match{Score: score(1, 0), Penalties: score(2, 4)}, "", sport.WinnerHome},
		"given before score":          {sport.Match{Score: score(1, 0)}, sport.WinnerAway, sport.WinnerAway},
		"given as nobody's":           {sport.Match{Score: score(1, 0)}, sport.WinnerNone, sport.WinnerNone},
		"finished without a score":    {sport.Match{}, "", sport.WinnerDraw},
		"a shoot-out without a score": {sport.Match{Penalties: score(3, 1)}, "", sport.WinnerHome},
		"live and ahead":              {sport.Match{Status: sport.Live, Score: score(3, 0)}, "", sport.WinnerNone},
		"given too early":             {sport.Match{Status: sport.Live}, sport.WinnerHome, sport.WinnerNone},
	} {
		tt.match.Status = cmp.Or(tt.match.Status, sport.Finished)
		if got := tt.match.WonBy(tt.given); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestBlocksOfHeadToHead(t *testing.T) {
	block := sport.Block{Criteria: []sport.TieBreaker{sport.ByPoints, sport.ByWon}, Once: true, AllPlayed: true}
	if got, ok := sport.HeadToHead(block).Block(); !ok || !gocmp.Equal(got, block) {
		t.Errorf("%+v", got)
	}
	if _, ok := sport.ByHeadToHeadPoints.Block(); ok {
		t.Error("an older name is a block by itself")
	}
	list := []sport.TieBreaker{sport.ByPoints, sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalDiff, sport.ByWon, sport.ByHeadToHeadGoalsFor}
	want := []sport.TieBreaker{sport.ByPoints, "headToHead:points,goalDiff", sport.ByWon, "headToHead:goalsFor"}
	if diff := gocmp.Diff(want, sport.Blocks(list)); diff != "" {
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

// What a forfeit is worth, as score, points and setPoints (D79).
func TestForfeits(t *testing.T) {
	score := func(home, away int) *sport.Score { return &sport.Score{Home: home, Away: away} }
	volleyball := sport.Rules{Win: 3, Forfeit: &sport.Forfeit{Goals: 3, SetPoints: 75}}
	basketball := sport.Rules{Win: 2, Loss: 1, Forfeit: &sport.Forfeit{Goals: 20, Win: new(2), Loss: new(0)}}
	left := func(goals int, teams ...sport.ID) []sport.Withdrawal {
		var all []sport.Withdrawal
		for _, id := range teams {
			all = append(all, sport.Withdrawal{TeamID: id, Matches: sport.MatchesAwarded, Goals: goals})
		}
		return all
	}
	for name, tt := range map[string]struct {
		rules sport.Rules
		left  []sport.Withdrawal
		match sport.Match
		want  string
	}{
		"a withdrawal":                             {volleyball, left(0, "b"), sport.Match{Status: sport.Upcoming}, "3:0 points 3:0 setPoints 75:0"},
		"a withdrawal with goals of its own":       {volleyball, left(2, "a"), sport.Match{Status: sport.Upcoming}, "0:2 points 0:3 setPoints 0:75"},
		"a withdrawal takes off what was played":   {basketball, left(0, "b"), sport.Match{Score: score(60, 70), Points: score(1, 2), SetPoints: score(1, 2)}, "20:0 points 2:0"},
		"two withdrawals":                          {basketball, left(20, "a", "b"), sport.Match{Status: sport.Upcoming}, "0:0 points 0:0"},
		"a withdrawal where the rules say nothing": {sport.Rules{Win: 3, Draw: 1}, left(0, "a"), sport.Match{}, "0:0 points 0:3"},
		"a ruling":                                  {basketball, nil, sport.Match{Score: score(80, 90), Winner: sport.WinnerHome}, "80:90 points 2:0"},
		"a ruling without a score":                  {volleyball, nil, sport.Match{Score: score(0, 0), Winner: sport.WinnerAway}, "0:3 points 0:3 setPoints 0:75"},
		"a ruling with points of its own":           {basketball, nil, sport.Match{Score: score(80, 90), Winner: sport.WinnerHome, Points: score(1, 0)}, "80:90 points 1:0"},
		"a ruling with setPoints of its own":        {volleyball, nil, sport.Match{Score: score(1, 3), Winner: sport.WinnerHome, SetPoints: score(80, 90)}, "1:3 setPoints 80:90"},
		"a ruling that a match was drawn":           {basketball, nil, sport.Match{Score: score(80, 90), Winner: sport.WinnerDraw}, "80:90"},
		"lost by both":                              {basketball, nil, sport.Match{Score: score(0, 0), Winner: sport.WinnerNone}, "0:0 points 0:0"},
		"lost by both after a match":                {volleyball, nil, sport.Match{Score: score(3, 1), Winner: sport.WinnerNone}, "3:1 points 0:0"},
		"just the score of a forfeit, and a winner": {volleyball, nil, sport.Match{Score: score(0, 3), Winner: sport.WinnerAway, WinnerGiven: true}, "0:3 points 0:3 setPoints 0:75"},
		"the score of a forfeit alone":              {volleyball, nil, sport.Match{Score: score(0, 3), Winner: sport.WinnerAway}, "0:3"},
		"a winner and another score":                {basketball, nil, sport.Match{Score: score(21, 0), Winner: sport.WinnerHome, WinnerGiven: true}, "21:0"},
		"a winner whom a shoot-out has":             {volleyball, nil, sport.Match{Score: score(0, 0), Penalties: score(3, 1), Winner: sport.WinnerHome, WinnerGiven: true}, "0:0"},
		"a match that is played":                    {volleyball, nil, sport.Match{Status: sport.Live, Score: score(3, 0), Winner: sport.WinnerNone}, "3:0"},
	} {
		tt.match.HomeTeamID, tt.match.AwayTeamID, tt.match.Status = "a", "b", cmp.Or(tt.match.Status, sport.Finished)
		c := sport.Competition{Rules: tt.rules, Withdrawals: tt.left}
		m := c.Ruled(&tt.match)
		got := fmt.Sprintf("%d:%d", m.Score.Home, m.Score.Away)
		if m.Points != nil {
			got += fmt.Sprintf(" points %d:%d", m.Points.Home, m.Points.Away)
		}
		if m.SetPoints != nil {
			got += fmt.Sprintf(" setPoints %d:%d", m.SetPoints.Home, m.SetPoints.Away)
		}
		if got != tt.want || *c.Ruled(m).Score != *m.Score {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// The goals of a match by the rules of a league that counts the shoot-out (D78).
func TestGoalOfAShootOut(t *testing.T) {
	for _, tt := range []struct {
		name             string
		score, penalties sport.Score
		winner           sport.Winner
		want             sport.Score
	}{
		{"won at home", sport.Score{Home: 2, Away: 2}, sport.Score{Home: 1}, "", sport.Score{Home: 3, Away: 2}},
		{"won away", sport.Score{}, sport.Score{Away: 1}, sport.WinnerAway, sport.Score{Away: 1}},
		{"no shoot-out", sport.Score{Home: 2, Away: 2}, sport.Score{}, "", sport.Score{Home: 2, Away: 2}},
		{"in the score already", sport.Score{Home: 3, Away: 2}, sport.Score{Home: 1}, "", sport.Score{Home: 3, Away: 2}},
		{"a ruling", sport.Score{Home: 2, Away: 2}, sport.Score{Home: 1}, sport.WinnerAway, sport.Score{Home: 2, Away: 2}},
	} {
		m := sport.Match{Score: &tt.score, Penalties: &tt.penalties, Winner: tt.winner}
		if got := (sport.Rules{ShootoutGoal: true}).Goals(&m); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if got := (sport.Rules{}).Goals(&m); got != tt.score {
			t.Errorf("%s, without the rule: %v", tt.name, got)
		}
	}
}
