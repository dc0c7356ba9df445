package statistics_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

func TestPerformancesOfAMatch(t *testing.T) {
	m := played("m", "H", 3, 0, "A", 0)
	m.Lineups = &sport.Lineups{
		Confirmed: true,
		Home:      squad([]string{"gk1", "h2"}, []string{"h3", "h4"}),
		Away:      squad([]string{"gk9", "z2"}, nil),
	}
	m.Lineups.Home.Starting[1].Captain = true
	m.Events = []sport.Event{
		goal(sport.GoalRegular, 5, sport.SideHome, "h2", "gk1"),
		goal(sport.GoalPenalty, 9, sport.SideHome, "h2", ""),
		goal(sport.GoalOwn, 20, sport.SideHome, "z2", ""),
		card(sport.CardYellow, 30, sport.SideAway, "z2"),
		card(sport.CardSecondYellow, 40, sport.SideAway, "z2"),
		substitution(60, 0, "h2", "h3"),
		card(sport.CardRed, 70, sport.SideAway, "coach's"),
		card(sport.CardYellow, 71, sport.SideAway, ""),
		{Type: sport.EventMissedPenalty, Minute: 80, Side: sport.SideAway, PlayerID: "gk9"},
		{Type: sport.EventShootoutPenalty, Detail: sport.PenaltyScored, Minute: 90, Side: sport.SideHome, PlayerID: "h3"},
	}
	home, away := sport.SideHome, sport.SideAway
	want := []statistics.Performance{
		{PlayerID: "gk1", TeamID: "H", Side: home, Position: sport.Goalkeeper, Started: true, Appeared: true, ShutOut: true, Minutes: 90, Assists: 1},
		{PlayerID: "h2", TeamID: "H", Side: home, Started: true, Captain: true, Appeared: true, SubstitutedOut: true, ShutOut: true, Minutes: 60, Goals: 2, PenaltyGoals: 1},
		{PlayerID: "h3", TeamID: "H", Side: home, Appeared: true, SubstitutedIn: true, ShutOut: true, Minutes: 30},
		{PlayerID: "h4", TeamID: "H", Side: home},
		{PlayerID: "coach's", TeamID: "A", Side: away, Red: 1},
		{PlayerID: "gk9", TeamID: "A", Side: away, Position: sport.Goalkeeper, Started: true, Appeared: true, Minutes: 90},
		{PlayerID: "z2", TeamID: "A", Side: away, Started: true, Appeared: true, Minutes: 40, OwnGoals: 1, Yellow: 1, SecondYellow: 1},
	}
	if diff := cmp.Diff(want, statistics.Performances(m, sport.Halves())); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutLineupsOnlyEventsCount(t *testing.T) {
	m := played("m", "H", 1, 1, "A", 0)
	m.Events = []sport.Event{
		goal(sport.GoalRegular, 5, sport.SideHome, "h", "i"),
		goal(sport.GoalOwn, 9, sport.SideAway, "h", ""),
		substitution(60, 0, "h", "j"),
		goal(sport.GoalOwn, 65, sport.SideHome, "y", ""),
		card(sport.CardRed, 70, sport.SideAway, "z"),
	}
	want := []statistics.Performance{
		{PlayerID: "h", TeamID: "H", Side: sport.SideHome, Goals: 1, OwnGoals: 1},
		{PlayerID: "i", TeamID: "H", Side: sport.SideHome, Assists: 1},
		{PlayerID: "y", TeamID: "A", Side: sport.SideAway, OwnGoals: 1},
		{PlayerID: "z", TeamID: "A", Side: sport.SideAway, Red: 1},
	}
	if diff := cmp.Diff(want, statistics.Performances(m, sport.Halves())); diff != "" {
		t.Error(diff)
	}
}
