package statistics_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// gamesOf returns a team's games with two points for a win.
func gamesOf(matches ...sport.Match) []statistics.TeamGame {
	var games []statistics.TeamGame
	for _, m := range matches {
		games = append(games, statistics.TeamGame{
			Match: m, Rules: sport.Rules{Win: 2, Draw: 1}, Contribution: statistics.ContributionOf(m, sport.Halves()),
		})
	}
	return games
}

func TestBiggestResults(t *testing.T) {
	for name, c := range map[string]struct {
		matches   []sport.Match
		win, loss sport.ID
	}{
		"none":                    {},
		"only draws":              {[]sport.Match{played("a", "T", 3, 3, "X", 0)}, "", ""},
		"the largest difference":  {[]sport.Match{played("a", "T", 6, 4, "X", 0), played("b", "X", 0, 3, "T", 1)}, "b", ""},
		"then more goals":         {[]sport.Match{played("a", "T", 3, 0, "X", 0), played("b", "X", 2, 5, "T", 1)}, "b", ""},
		"then the earlier one":    {[]sport.Match{played("b", "T", 3, 0, "X", 0), played("a", "T", 3, 0, "X", 1)}, "b", ""},
		"then the lower id":       {[]sport.Match{played("b", "T", 3, 0, "X", 0), played("a", "X", 0, 3, "T", 0)}, "a", ""},
		"losses are the other's":  {[]sport.Match{played("a", "T", 0, 1, "X", 0), played("b", "X", 4, 1, "T", 1)}, "", "b"},
		"a shoot-out is no win":   {[]sport.Match{withPenalties(played("a", "T", 1, 1, "X", 0), 4, 2)}, "", ""},
		"one win and one loss":    {[]sport.Match{played("a", "T", 0, 1, "X", 0), played("b", "T", 1, 0, "X", 1)}, "b", "a"},
		"of a match of two other": {[]sport.Match{played("a", "Y", 0, 1, "X", 0)}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := statistics.OfTeam("T", gamesOf(c.matches...))
			if got.BiggestWin != c.win || got.BiggestLoss != c.loss {
				t.Errorf("win %q, loss %q; want %q, %q", got.BiggestWin, got.BiggestLoss, c.win, c.loss)
			}
		})
	}
}

func withPenalties(m sport.Match, home, away int) sport.Match {
	m.Penalties = &sport.Score{Home: home, Away: away}
	return m
}

// A ruling counts as its winner says (D59), and both have lost where it names nobody;
// but it is nobody's biggest win, whatever the score.
func TestARulingCountsByItsWinner(t *testing.T) {
	ruled := func(id string, home, away int, winner sport.Winner, day int) sport.Match {
		m := played(id, "T", home, away, "X", day)
		m.Winner = winner
		return m
	}
	matches := []sport.Match{
		ruled("m1", 2, 1, sport.WinnerHome, 1), ruled("m2", 5, 0, sport.WinnerAway, 2), ruled("m3", 0, 0, sport.WinnerNone, 3),
		ruled("m4", 0, 4, sport.WinnerDraw, 4), ruled("m5", 0, 0, sport.WinnerHome, 5), ruled("m6", 0, 3, sport.WinnerHome, 6),
	}
	got := statistics.OfTeam("T", gamesOf(matches...))
	if diff := cmp.Diff(statistics.Record{Played: 6, Won: 3, Drawn: 1, Lost: 2, GoalsFor: 7, GoalsAgainst: 8, Points: 7, CleanSheets: 3, FailedToScore: 4}, got.Overall); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]statistics.Outcome{statistics.Loss, statistics.Loss, statistics.Draw, statistics.Win, statistics.Win}, got.Form); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&statistics.Streak{Type: statistics.Win, Length: 2}, got.Streak); diff != "" {
		t.Error(diff)
	}
	if got.BiggestWin != "m1" || got.BiggestLoss != "" {
		t.Errorf("biggest win %q, biggest loss %q", got.BiggestWin, got.BiggestLoss)
	}
	all := statistics.OfCompetition(statistics.Season{Rules: sport.Rules{Win: 2, Draw: 1}, Matches: matches})
	if all.Results != (statistics.Results{HomeWins: 3, Draws: 1, AwayWins: 1}) || all.BiggestWin != "m1" {
		t.Errorf("of the competition %+v, biggest win %q", all.Results, all.BiggestWin)
	}
}
