package statistics_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

func TestStatisticsOfACompetition(t *testing.T) {
	m1 := played("m1", "H", 2, 1, "A", 0)
	m1.Lineups = &sport.Lineups{Confirmed: true, Home: squad([]string{"h1"}, nil)}
	m1.Events = []sport.Event{
		goal(sport.GoalPenalty, 1, sport.SideHome, "h1", ""), goal(sport.GoalOwn, 2, sport.SideHome, "a1", ""),
		goal(sport.GoalRegular, 3, sport.SideAway, "a1", "a2"), card(sport.CardYellow, 4, sport.SideHome, "h1"),
	}
	m2 := withPenalties(played("m2", "A", 1, 1, "H", 1), 4, 3)
	m2.Events = []sport.Event{card(sport.CardRed, 4, sport.SideHome, "")}
	m3 := played("m3", "A", 0, 4, "H", 2)
	live := played("m4", "A", 7, 0, "H", 3)
	live.Status, live.Events = sport.Live, []sport.Event{card(sport.CardRed, 4, sport.SideHome, "a1")}
	live.Statistics = &sport.MatchStatistics{}
	upcoming, postponed := played("m5", "A", 0, 0, "H", 4), played("m6", "A", 0, 0, "H", 5)
	upcoming.Status, upcoming.Score, postponed.Status = sport.Upcoming, nil, sport.Postponed
	in := seasonOf([]sport.Match{m1, m2, m3, live, upcoming, postponed}, "H", "A", "S")
	in.Hidden = func(id sport.ID) bool { return id == "S" }
	goals, cards := statistics.Hundredths(300), statistics.Hundredths(67)
	want := statistics.Competition{
		Numbers: statistics.Numbers{
			Coverage: statistics.Coverage{Lineups: true, Events: true, Assists: true, MatchStatistics: true},
			Totals: statistics.Totals{
				Teams: 2, Matches: 6, Finished: 3, Upcoming: 1, Live: 1, Postponed: 1,
				Goals: 9, PenaltyGoals: 1, OwnGoals: 1, Cards: statistics.Cards{Yellow: 1, Red: 1},
			},
			Results:       statistics.Results{HomeWins: 1, Draws: 1, AwayWins: 1},
			GoalsPerMatch: &goals, CardsPerMatch: &cards,
		},
		BiggestWin:     "m3",
		HighestScoring: "m3",
	}
	if diff := cmp.Diff(want, statistics.OfCompetition(in)); diff != "" {
		t.Error(diff)
	}
}

func TestAtMostFiveLeaders(t *testing.T) {
	got := statistics.Leaders(statistics.Rank(seasonOf([]sport.Match{goalsBy("m", 0, "a", "b", "c", "d", "e", "f", "g")})).Goals)
	if len(got) != statistics.LeaderCount || got[4].PlayerID != "e" {
		t.Errorf("%+v", got)
	}
}

func TestAveragesAreRoundedHalfUp(t *testing.T) {
	for _, c := range []struct {
		goals, matches int
		want           statistics.Hundredths
	}{{0, 1, 0}, {5, 2, 250}, {8, 3, 267}, {7, 3, 233}, {1, 8, 13}, {1, 200, 1}, {1, 201, 0}, {20, 2, 1000}} {
		matches := make([]sport.Match, c.matches)
		for i := range matches {
			matches[i] = played(string(rune('a'+i)), "H", 0, 0, "A", i)
		}
		matches[0].Score.Home = c.goals
		got := *statistics.OfCompetition(seasonOf(matches)).GoalsPerMatch
		if got != c.want {
			t.Errorf("%d goals in %d matches: %d, want %d", c.goals, c.matches, got, c.want)
		}
		if 100*got.Float64() != float64(got) {
			t.Errorf("%d as a float is %v", got, got.Float64())
		}
	}
}

func TestCompletedGroups(t *testing.T) {
	in := func(group string, status sport.MatchStatus) sport.Match {
		return sport.Match{GroupID: sport.ID(group), Status: status}
	}
	got := statistics.CompletedGroups(
		[]sport.Group{{ID: "played"}, {ID: "open"}, {ID: "live"}, {ID: "empty"}},
		[]sport.Match{
			in("played", sport.Finished), in("played", sport.Postponed), in("open", sport.Finished),
			in("open", sport.Upcoming), in("live", sport.Live), in("", sport.Upcoming), in("stray", sport.Finished),
		})
	want := map[sport.ID]bool{"played": true, "open": false, "live": false, "empty": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
