package statistics_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

func TestRunningScoreFollowsGoalsOnly(t *testing.T) {
	events := []sport.Event{
		{Type: sport.EventPeriod, Detail: sport.PeriodStart, Side: sport.SideHome},
		goal(sport.GoalRegular, 5, sport.SideHome, "a", ""),
		goal(sport.GoalOwn, 9, sport.SideAway, "a", ""),
		card(sport.CardRed, 10, sport.SideAway, "z"),
		{Type: sport.EventMissedPenalty, Detail: sport.PenaltySaved, Minute: 20, Side: sport.SideHome},
		goal(sport.GoalPenalty, 30, sport.SideAway, "z", ""),
		{Type: sport.EventShootoutPenalty, Detail: sport.PenaltyScored, Minute: 120, Side: sport.SideHome},
	}
	var got []string
	for i, score := range statistics.RunningScores(events) {
		line := fmt.Sprintf("%d %s", i+1, events[i].Type)
		if score != nil {
			line += fmt.Sprintf(" %d:%d", score.Home, score.Away)
		}
		got = append(got, line)
	}
	want := []string{
		"1 period", "2 goal 1:0", "3 goal 1:1", "4 card", "5 missedPenalty",
		"6 goal 1:2", "7 shootoutPenalty",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
