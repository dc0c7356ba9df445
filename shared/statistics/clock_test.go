package statistics_test

import (
	"testing"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// Minutes and bands follow the periods of the competition (D61, D77).
func TestMinutesOfOtherSports(t *testing.T) {
	handball := sport.Clock{Count: 2, Minutes: 30, Extra: 5}
	basketball := sport.Clock{Count: 4, Minutes: 10, Extra: 5}
	hockey := sport.Clock{Count: 3, Minutes: 20, Extra: 20}
	period := func(p sport.Period) sport.Event { return sport.Event{Type: sport.EventPeriod, Period: p} }
	scored := func(side sport.Side, minute int) sport.Event {
		return sport.Event{Type: sport.EventGoal, Side: side, Minute: minute}
	}
	for name, tt := range map[string]struct {
		clock   sport.Clock
		extra   bool
		off     sport.Event // the substitution
		at      int         // the minute it counts as
		minutes int         // of the one who came on
		others  []sport.Event
		ended   string // the score, empty: 4:4
	}{
		"handball":                      {clock: handball, off: sport.Event{Minute: 50}, at: 50, minutes: 10},
		"in stoppage time":              {clock: handball, off: sport.Event{Minute: 31, Period: sport.FirstHalf}, at: 30, minutes: 30},
		"handball, after extra time":    {clock: handball, extra: true, off: sport.Event{Minute: 61}, at: 61, minutes: 9},
		"later than the end":            {clock: handball, off: sport.Event{Minute: 64}, at: 60},
		"basketball":                    {clock: basketball, off: sport.Event{Minute: 33}, at: 33, minutes: 7},
		"before the break":              {clock: basketball, off: sport.Event{Minute: 12, Period: "period1"}, at: 10, minutes: 30},
		"in overtime":                   {clock: basketball, extra: true, off: sport.Event{Minute: 43}, at: 43, minutes: 2},
		"overtime that nothing shows":   {clock: basketball, extra: true, off: sport.Event{Minute: 33}, at: 33, minutes: 12},
		"in a third overtime":           {clock: basketball, extra: true, off: sport.Event{Minute: 52}, at: 52, minutes: 3},
		"before a third overtime":       {clock: basketball, extra: true, off: sport.Event{Minute: 33}, at: 33, minutes: 22, others: []sport.Event{period("overtime3")}},
		"overtimes without extra time":  {clock: basketball, off: sport.Event{Minute: 33}, at: 33, minutes: 7, others: []sport.Event{period("overtime3")}},
		"a shoot-out is no overtime":    {clock: hockey, extra: true, off: sport.Event{Minute: 33}, at: 33, minutes: 47, others: []sport.Event{{Type: sport.EventShootoutPenalty, Minute: 120}}},
		"the goal that ended it":        {clock: hockey, extra: true, off: sport.Event{Minute: 150}, at: 150, minutes: 19, others: []sport.Event{scored(sport.SideHome, 12), scored(sport.SideHome, 169)}, ended: "5:4"},
		"of the away side":              {clock: hockey, extra: true, off: sport.Event{Minute: 33}, at: 33, minutes: 32, others: []sport.Event{scored(sport.SideAway, 65)}, ended: "4:5"},
		"of the side that lost":         {clock: hockey, extra: true, off: sport.Event{Minute: 33}, at: 33, minutes: 47, others: []sport.Event{scored(sport.SideHome, 65)}, ended: "4:5"},
		"one of two goals":              {clock: hockey, extra: true, off: sport.Event{Minute: 33}, at: 33, minutes: 47, others: []sport.Event{scored(sport.SideHome, 65), scored(sport.SideHome, 66)}, ended: "5:4"},
		"a goal that did not decide":    {clock: hockey, extra: true, off: sport.Event{Minute: 33}, at: 33, minutes: 47, others: []sport.Event{scored(sport.SideHome, 65)}, ended: "6:4"},
		"a minute before its overtime":  {clock: hockey, extra: true, off: sport.Event{Minute: 33}, at: 33, minutes: 47, others: []sport.Event{{Type: sport.EventGoal, Side: sport.SideHome, Minute: 5, Period: "overtime1"}}, ended: "5:4"},
		"handball's goal ends no match": {clock: handball, extra: true, off: sport.Event{Minute: 33}, at: 33, minutes: 37, others: []sport.Event{scored(sport.SideHome, 65)}, ended: "5:4"},
	} {
		t.Run(name, func(t *testing.T) {
			tt.off.Type, tt.off.Side, tt.off.PlayerOutID, tt.off.PlayerInID = sport.EventSubstitution, sport.SideHome, "a", "b"
			score := sport.Score{Home: 4, Away: 4}
			if tt.ended != "" {
				score = sport.Score{Home: int(tt.ended[0] - '0'), Away: int(tt.ended[2] - '0')}
			}
			m := sport.Match{
				HomeTeamID: "H", AwayTeamID: "A", Status: sport.Finished, Score: &score, ExtraTime: tt.extra, Events: append(tt.others, tt.off),
				Lineups: &sport.Lineups{Confirmed: true, Home: sport.Squad{Starting: []sport.LineupEntry{{PlayerID: "a"}}, Bench: []sport.LineupEntry{{PlayerID: "b"}}}},
			}
			if got := *statistics.Spells(m, tt.clock)["a"].Out; got != tt.at {
				t.Errorf("off at %d, want %d", got, tt.at)
			}
			for _, p := range statistics.Performances(m, tt.clock) {
				if want := map[sport.ID]int{"a": tt.at, "b": tt.minutes}[p.PlayerID]; p.Minutes != want {
					t.Errorf("%s: %d minutes, want %d", p.PlayerID, p.Minutes, want)
				}
			}
		})
	}
}

func TestBandsOfGoals(t *testing.T) {
	football, handball := sport.Halves(), sport.Clock{Count: 2, Minutes: 30, Extra: 5}
	for _, c := range []struct {
		clock         sport.Clock
		minute, extra int
		period        sport.Period
		band          int
	}{
		{football, 0, 0, "", 0}, {football, 15, 0, "", 0}, {football, 16, 0, "", 1}, {football, 45, 7, "", 2},
		{football, 47, 0, sport.FirstHalf, 2}, {football, 46, 0, "", 3}, {football, 45, 0, sport.SecondHalf, 3},
		{football, 75, 0, "", 4}, {football, 90, 9, "", 5}, {football, 95, 0, sport.SecondHalf, 5}, {football, 91, 0, "", 5},
		{handball, 30, 1, "", 1}, {handball, 31, 0, "", 2}, {handball, 33, 0, sport.FirstHalf, 1}, {handball, 61, 0, "", 5},
		{sport.Clock{Count: 4, Minutes: 10}, 40, 0, "", 2}, {sport.Clock{Count: 5, Minutes: 25}, 110, 0, "", 5}, {sport.Clock{Count: 3, Minutes: 20}, 5, 0, "period2", 1},
	} {
		e := goal(sport.GoalRegular, c.minute, sport.SideHome, "", "")
		e.ExtraMinute, e.Period = c.extra, c.period
		got := statistics.ContributionOf(sport.Match{Status: sport.Finished, Events: []sport.Event{e}}, c.clock).Home.Goals
		if got[c.band] != 1 {
			t.Errorf("minute %d+%d of %q is in %v, want band %d", c.minute, c.extra, c.period, got, c.band)
		}
	}
}

func TestMinutesOfABand(t *testing.T) {
	for band, want := range [statistics.Bands][2]int{{1, 15}, {16, 30}, {31, 45}, {46, 60}, {61, 75}, {76, 90}} {
		if from, to := statistics.MinutesOf(band); from != want[0] || to != want[1] {
			t.Errorf("band %d is of minutes %d to %d", band, from, to)
		}
	}
}
