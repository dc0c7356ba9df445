package statistics_test

import (
	"strings"
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

func TestRecordsOfATeam(t *testing.T) {
	friendly := played("m4", "T", 1, 0, "X", 4)
	friendly.CompetitionID = ""
	other := played("m5", "X", 0, 0, "T", 5)
	other.Season = 2024
	live := played("m6", "T", 9, 0, "X", 6)
	live.Status = sport.Live
	ruled := played("m7", "T", 0, 1, "X", 7)
	ruled.Winner, ruled.Penalties = sport.WinnerHome, &sport.Score{Home: 5, Away: 4}
	m1, m2 := played("m1", "T", 3, 1, "X", 1), played("m2", "X", 2, 0, "T", 2)
	m1.Events = []sport.Event{
		goal(sport.GoalOwn, 15, sport.SideHome, "x", ""), goal(sport.GoalRegular, 16, sport.SideAway, "x", ""),
		card(sport.CardYellow, 1, sport.SideHome, "t"), card(sport.CardRed, 1, sport.SideAway, "x"),
	}
	m2.Events = []sport.Event{goal(sport.GoalPenalty, 90, sport.SideHome, "x", ""), card(sport.CardSecondYellow, 1, sport.SideAway, "t")}
	got := statistics.OfTeam("T", gamesOf(
		m1, m2, played("m3", "T", 2, 2, "X", 3),
		friendly, other, live, ruled, played("m8", "X", 9, 9, "Y", 8),
	))
	type k = statistics.Record
	if diff := cmp.Diff(k{Played: 6, Won: 2, Drawn: 2, Lost: 2, GoalsFor: 6, GoalsAgainst: 6, Points: 7, CleanSheets: 2, FailedToScore: 3}, got.Overall); diff != "" {
		t.Error("overall", diff)
	}
	if diff := cmp.Diff(k{Played: 4, Won: 2, Drawn: 1, Lost: 1, GoalsFor: 6, GoalsAgainst: 4, Points: 6, CleanSheets: 1, FailedToScore: 1}, got.Home); diff != "" {
		t.Error("home", diff)
	}
	if diff := cmp.Diff(k{Played: 2, Drawn: 1, Lost: 1, GoalsAgainst: 2, Points: 1, CleanSheets: 1, FailedToScore: 2}, got.Away); diff != "" {
		t.Error("away", diff)
	}
	if diff := cmp.Diff([]statistics.TeamCompetition{
		{CompetitionID: "c", Season: 2024, Overall: k{Played: 1, Drawn: 1, Points: 1, CleanSheets: 1, FailedToScore: 1}},
		{CompetitionID: "c", Season: 2025, Overall: k{Played: 4, Won: 1, Drawn: 1, Lost: 2, GoalsFor: 5, GoalsAgainst: 6, Points: 3, FailedToScore: 2}},
	}, got.Competitions); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([statistics.Bands]statistics.Band{0: {For: 1}, 1: {Against: 1}, 5: {Against: 1}}, got.GoalsByBand); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(statistics.Cards{Yellow: 1, SecondYellow: 1}, got.Cards); diff != "" {
		t.Error(diff)
	}
}

func TestFormAndStreak(t *testing.T) {
	for name, c := range map[string]struct {
		results string // of T at home, oldest first
		form    string
		streak  *statistics.Streak
	}{
		"no match":      {"", "", nil},
		"one":           {"W", "W", &statistics.Streak{Type: statistics.Win, Length: 1}},
		"the last five": {"WWDLDDD", "DLDDD", &statistics.Streak{Type: statistics.Draw, Length: 3}},
		"longer than the form": {"WLLLLLLL", "LLLLL",
			&statistics.Streak{Type: statistics.Loss, Length: 7}},
	} {
		t.Run(name, func(t *testing.T) {
			var matches []sport.Match
			for i, r := range c.results {
				m := played("abcdefgh"[i:i+1], "T", 1, 1, "X", i)
				m.Score = map[rune]*sport.Score{'W': {Home: 1}, 'D': {}, 'L': {Away: 1}}[r]
				matches = append([]sport.Match{m}, matches...)
			}
			got := statistics.OfTeam("T", gamesOf(matches...))
			var form strings.Builder
			for _, o := range got.Form {
				form.WriteString(o.Letter())
			}
			if form.String() != c.form {
				t.Errorf("form %s, want %s", &form, c.form)
			}
			if diff := cmp.Diff(c.streak, got.Streak); diff != "" {
				t.Error(diff)
			}
		})
	}
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
