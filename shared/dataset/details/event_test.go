package details

import (
	"testing"

	"touchline/shared/sport"
)

func TestPeriodIsDerivedFromTheMinute(t *testing.T) {
	for _, tt := range []struct {
		clock  sport.Clock
		minute int
		want   sport.Period
	}{
		{sport.Halves(), 0, sport.FirstHalf}, {sport.Halves(), 45, sport.FirstHalf}, {sport.Halves(), 46, sport.SecondHalf},
		{sport.Halves(), 90, sport.SecondHalf}, {sport.Halves(), 91, sport.ExtraTimeFirst}, {sport.Halves(), 105, sport.ExtraTimeFirst},
		{sport.Halves(), 106, sport.ExtraTimeSecond}, {sport.Halves(), 120, sport.ExtraTimeSecond}, {sport.Halves(), 999, sport.ExtraTimeSecond},
		{handball, 30, sport.FirstHalf}, {handball, 31, sport.SecondHalf}, {handball, 61, sport.ExtraTimeFirst}, {handball, 66, sport.ExtraTimeSecond},
		{basketball, 10, "period1"}, {basketball, 11, "period2"}, {basketball, 40, "period4"}, {basketball, 41, "overtime1"},
		{basketball, 46, "overtime2"}, {basketball, 55, "overtime3"}, {basketball, 999, "overtime20"},
		{sport.Clock{Count: 3, Minutes: 20}, 65, "overtime1"}, {sport.Clock{Count: 1, Minutes: 40}, 1, "period1"},
	} {
		events := []sport.Event{{Type: sport.EventGoal, Minute: tt.minute}}
		if Complete("m", tt.clock, events); events[0].Period != tt.want {
			t.Errorf("%+v: minute %d: got %s, want %s", tt.clock, tt.minute, events[0].Period, tt.want)
		}
	}
}

var (
	handball   = sport.Clock{Count: 2, Minutes: 30, Extra: 5}
	basketball = sport.Clock{Count: 4, Minutes: 10, Extra: 5}
)

func TestAPeriodThatTheMatchDoesNotHaveIsThatOfTheMinute(t *testing.T) {
	for _, tt := range []struct {
		clock       sport.Clock
		given, want sport.Period
	}{
		{basketball, "period4", "period4"}, {basketball, "overtime7", "overtime7"}, {basketball, sport.PenaltyShootout, sport.PenaltyShootout},
		{basketball, "period5", "period2"}, {basketball, "overtime0", "period2"}, {basketball, sport.SecondHalf, "period2"},
		{handball, "period1", sport.FirstHalf}, {handball, sport.ExtraTimeSecond, sport.ExtraTimeSecond},
	} {
		events := []sport.Event{{Type: sport.EventGoal, Period: tt.given, Minute: 15}}
		if Complete("m", tt.clock, events); events[0].Period != tt.want {
			t.Errorf("%+v: %s: got %s, want %s", tt.clock, tt.given, events[0].Period, tt.want)
		}
	}
}

// An event that is put in between, or taken out, changes no other's id (D58), and no id
// tells who it was (D76).
func TestTheIDOfAnEventIsWhatItSays(t *testing.T) {
	goal := sport.Event{Type: sport.EventGoal, Detail: sport.GoalRegular, Period: sport.FirstHalf, Minute: 12, Side: sport.SideHome, PlayerID: "p"}
	card := sport.Event{Type: sport.EventCard, Detail: sport.CardRed, Period: sport.FirstHalf, Minute: 45, ExtraMinute: 2, Side: sport.SideAway}
	named := goal
	named.ID = "given"
	start := sport.Event{Type: sport.EventPeriod, Detail: sport.PeriodStart, Period: sport.FirstHalf}
	before, after := []sport.Event{goal, card, goal}, []sport.Event{start, goal, named, card, goal}
	Complete("m", sport.Halves(), before)
	Complete("m", sport.Halves(), after)
	id := func(key string) sport.ID { return sport.IDFor(sport.KindEvent, key) }
	for i, want := range []sport.ID{id("m/firstHalf/goal/regular/home/12/0/1"), id("m/firstHalf/card/red/away/45/2/1"), id("m/firstHalf/goal/regular/home/12/0/2")} {
		if before[i].ID != want {
			t.Errorf("event %d: %s, want %s", i, before[i].ID, want)
		}
	}
	if after[1].ID != before[0].ID || after[2].ID != "given" || after[3].ID != before[1].ID {
		t.Errorf("%+v", after)
	}
	if after[4].ID != id("m/firstHalf/goal/regular/home/12/0/3") {
		t.Errorf("the third that says so: %s", after[4].ID)
	}
	seen := map[sport.ID]bool{}
	for _, change := range []func(*sport.Event){
		func(*sport.Event) {}, func(e *sport.Event) { e.Period = sport.SecondHalf }, func(e *sport.Event) { e.Type = sport.EventMissedPenalty },
		func(e *sport.Event) { e.Detail = sport.GoalPenalty }, func(e *sport.Event) { e.Side = sport.SideAway }, func(e *sport.Event) { e.Minute++ },
		func(e *sport.Event) { e.ExtraMinute++ },
		func(e *sport.Event) { e.PlayerID, e.AssistID, e.PlayerInID, e.PlayerOutID = "q", "r", "s", "t" }, // as the first
	} {
		e := goal
		change(&e)
		seen[eventIDs("m", []sport.Event{e})[0]] = true
	}
	if len(seen) != 7 {
		t.Errorf("%d different ids, want 7", len(seen))
	}
}
