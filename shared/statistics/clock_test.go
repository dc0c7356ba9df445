package statistics_test

import (
	"testing"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// Minutes and bands follow the periods of the competition (D61).
func TestMinutesOfOtherSports(t *testing.T) {
	handball := sport.Clock{Count: 2, Minutes: 30, Extra: 5}
	basketball := sport.Clock{Count: 4, Minutes: 10, Extra: 5}
	for name, tt := range map[string]struct {
		clock   sport.Clock
		extra   bool
		off     sport.Event // the substitution
		at      int         // the minute it counts as
		minutes int         // of the one who came on
	}{
		"handball":                   {handball, false, sport.Event{Minute: 50}, 50, 10},
		"in stoppage time":           {handball, false, sport.Event{Minute: 31, Period: sport.FirstHalf}, 30, 30},
		"handball, after extra time": {handball, true, sport.Event{Minute: 61}, 61, 9},
		"later than the end":         {handball, false, sport.Event{Minute: 64}, 60, 0},
		"basketball":                 {basketball, false, sport.Event{Minute: 33}, 33, 7},
		"before the break":           {basketball, false, sport.Event{Minute: 12, Period: "period1"}, 10, 30},
		"in overtime":                {basketball, true, sport.Event{Minute: 47}, 47, 3},
		"in a third overtime":        {basketball, true, sport.Event{Minute: 52}, 50, 0},
	} {
		t.Run(name, func(t *testing.T) {
			tt.off.Type, tt.off.Side, tt.off.PlayerOutID, tt.off.PlayerInID = sport.EventSubstitution, sport.SideHome, "a", "b"
			m := sport.Match{
				HomeTeamID: "H", AwayTeamID: "A", Status: sport.Finished, Score: &sport.Score{}, ExtraTime: tt.extra, Events: []sport.Event{tt.off},
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

func TestBandsOfOtherSports(t *testing.T) {
	for name, tt := range map[string]struct {
		clock sport.Clock
		event sport.Event
		want  int
	}{
		"before the break":    {sport.Clock{Count: 2, Minutes: 30, Extra: 5}, sport.Event{Minute: 30, ExtraMinute: 1}, 1},
		"after it":            {sport.Clock{Count: 2, Minutes: 30, Extra: 5}, sport.Event{Minute: 31}, 2},
		"stoppage time":       {sport.Clock{Count: 2, Minutes: 30, Extra: 5}, sport.Event{Minute: 33, Period: sport.FirstHalf}, 1},
		"extra time":          {sport.Clock{Count: 2, Minutes: 30, Extra: 5}, sport.Event{Minute: 61}, 5},
		"the last quarter":    {sport.Clock{Count: 4, Minutes: 10}, sport.Event{Minute: 40}, 2},
		"later than 90":       {sport.Clock{Count: 5, Minutes: 25}, sport.Event{Minute: 110}, 5},
		"the second of three": {sport.Clock{Count: 3, Minutes: 20}, sport.Event{Minute: 5, Period: "period2"}, 1},
	} {
		tt.event.Type, tt.event.Side = sport.EventGoal, sport.SideHome
		c := statistics.ContributionOf(sport.Match{Status: sport.Finished, Events: []sport.Event{tt.event}}, tt.clock)
		if c.Home.Goals[tt.want] != 1 {
			t.Errorf("%s: %v, want band %d", name, c.Home.Goals, tt.want)
		}
	}
}
