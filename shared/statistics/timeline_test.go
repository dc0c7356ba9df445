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
	for i, m := range statistics.Timeline(events) {
		line := fmt.Sprintf("%d %s %s", i+1, m.Type, m.Side)
		if m.Score != nil {
			line += fmt.Sprintf(" %d:%d", m.Score.Home, m.Score.Away)
		}
		got = append(got, line)
	}
	want := []string{
		"1 period ", "2 goal home 1:0", "3 goal away 1:1", "4 card away", "5 missedPenalty home",
		"6 goal away 1:2", "7 shootoutPenalty home",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if events[0].Side != sport.SideHome {
		t.Error("the events given were changed")
	}
}
