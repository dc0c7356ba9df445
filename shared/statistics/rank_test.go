package statistics_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

type figures = statistics.Figures

// seasonOf returns the input for a season with these matches among these teams.
func seasonOf(matches []sport.Match, teams ...sport.ID) statistics.Season {
	return statistics.Season{
		Teams: teams, Matches: matches, Contributions: contributions(matches), NameKey: byName,
	}
}

// goalsBy returns a finished match without line-ups in which the players scored.
func goalsBy(id string, day int, players ...sport.ID) sport.Match {
	m := played(id, "H", len(players), 0, "A", day)
	for _, p := range players {
		m.Events = append(m.Events, goal(sport.GoalRegular, 10, sport.SideHome, p, ""))
	}
	return m
}

func TestCardsOfPlayersAndTeams(t *testing.T) {
	m1, m2 := played("m1", "H", 0, 0, "A", 0), played("m2", "A", 0, 0, "B", 1)
	home, away := sport.SideHome, sport.SideAway
	m1.Lineups = &sport.Lineups{Confirmed: true, Home: squad([]string{"h1"}, nil)}
	m1.Lineups.Home.Starting[0].Position = sport.Goalkeeper
	m1.Events = []sport.Event{
		card(sport.CardYellow, 1, home, "h1"), card(sport.CardSecondYellow, 2, home, "h1"),
		card(sport.CardYellow, 1, away, "a1"), card(sport.CardRed, 2, away, "a1"),
		card(sport.CardYellow, 3, home, "h2"), card(sport.CardYellow, 4, home, ""),
	}
	m2.Events = []sport.Event{card(sport.CardYellow, 1, home, "a2"), card(sport.CardYellow, 1, home, "a2")}
	in := seasonOf([]sport.Match{m1, m2}, "C", "A", "H")
	in.Contributions = append(in.Contributions, contributions([]sport.Match{goalsBy("stray", 0, "h1", "h1")})...) // of no match of the season
	got := statistics.Rank(in)
	if diff := cmp.Diff([]statistics.Row{
		{Rank: 1, PlayerID: "a1", TeamID: "A", Value: 2, Figures: figures{Yellow: 1, Red: 1}},
		{Rank: 1, PlayerID: "h1", TeamID: "H", Value: 2, Figures: figures{Yellow: 1, SecondYellow: 1, Appearances: 1, Starts: 1, Minutes: 2}},
		{Rank: 1, PlayerID: "a2", TeamID: "A", Value: 2, Figures: figures{Yellow: 2}},
		{Rank: 4, PlayerID: "h2", TeamID: "H", Value: 1, Figures: figures{Yellow: 1}},
	}, got.PlayerCards); diff != "" {
		t.Error(diff)
	}
	teams := []statistics.Row{
		{Rank: 1, TeamID: "A", Value: 4, Figures: figures{Yellow: 3, Red: 1}, Played: 2},
		{Rank: 1, TeamID: "H", Value: 4, Figures: figures{Yellow: 3, SecondYellow: 1}, Played: 1},
		{Rank: 3, TeamID: "B", Played: 1},
		{Rank: 3, TeamID: "C"},
	}
	if diff := cmp.Diff(teams, got.TeamCards); diff != "" {
		t.Error(diff)
	}
	if len(got.Goals) > 0 {
		t.Errorf("goals of another season: %+v", got.Goals)
	}
	in.Hidden = func(id sport.ID) bool { return id == "A" || id == "a1" }
	got = statistics.Rank(in)
	if diff := cmp.Diff(teams[1:], got.TeamCards); diff != "" {
		t.Error(diff)
	}
	if got.PlayerCards[0].PlayerID != "h1" {
		t.Errorf("a hidden player is listed: %+v", got.PlayerCards)
	}
}

func TestFairPlayPoints(t *testing.T) {
	for cards, want := range map[statistics.Cards]int{{}: 0, {Yellow: 2}: -2, {SecondYellow: 2}: -6, {Red: 2}: -8, {Yellow: 1, SecondYellow: 1, Red: 1}: -8} {
		if got := statistics.FairPlayPoints(cards); got != want {
			t.Errorf("%+v: %d, want %d", cards, got, want)
		}
	}
}
