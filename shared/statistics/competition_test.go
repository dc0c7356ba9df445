package statistics_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

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
