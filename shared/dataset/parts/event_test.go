package parts

import (
	"testing"

	"touchline/shared/sport"
)

func TestPeriodIsDerivedFromTheMinute(t *testing.T) {
	for minute, want := range map[int]sport.Period{
		0: sport.FirstHalf, 45: sport.FirstHalf, 46: sport.SecondHalf, 90: sport.SecondHalf,
		91: sport.ExtraTimeFirst, 105: sport.ExtraTimeFirst, 106: sport.ExtraTimeSecond, 120: sport.ExtraTimeSecond, 999: sport.ExtraTimeSecond,
	} {
		if got := periodOf(sport.EventGoal, minute); got != want {
			t.Errorf("minute %d: got %s, want %s", minute, got, want)
		}
	}
}

// An event that is put in between, or taken out, changes no other's id (D58).
func TestTheIDOfAnEventIsWhatItSays(t *testing.T) {
	goal := sport.Event{Type: sport.EventGoal, Detail: sport.GoalRegular, Period: sport.FirstHalf, Minute: 12, Side: sport.SideHome, PlayerID: "p"}
	card := sport.Event{Type: sport.EventCard, Detail: sport.CardRed, Period: sport.FirstHalf, Minute: 45, ExtraMinute: 2, Side: sport.SideAway}
	named := goal
	named.ID = "given"
	start := sport.Event{Type: sport.EventPeriod, Detail: sport.PeriodStart, Period: sport.FirstHalf}
	before, after := []sport.Event{goal, card, goal}, []sport.Event{start, goal, named, card, goal}
	NameEvents("m", before)
	NameEvents("m", after)
	id := func(key string) sport.ID { return sport.IDFor(sport.KindEvent, key) }
	for i, want := range []sport.ID{id("m/firstHalf/goal/regular/home/12/0/p/1"), id("m/firstHalf/card/red/away/45/2//1"), id("m/firstHalf/goal/regular/home/12/0/p/2")} {
		if before[i].ID != want {
			t.Errorf("event %d: %s, want %s", i, before[i].ID, want)
		}
	}
	if after[1].ID != before[0].ID || after[2].ID != "given" || after[3].ID != before[1].ID {
		t.Errorf("%+v", after)
	}
	if after[4].ID != id("m/firstHalf/goal/regular/home/12/0/p/3") {
		t.Errorf("the third that says so: %s", after[4].ID)
	}
	seen := map[sport.ID]bool{}
	for _, change := range []func(*sport.Event){
		func(*sport.Event) {}, func(e *sport.Event) { e.Period = sport.SecondHalf }, func(e *sport.Event) { e.Type = sport.EventMissedPenalty },
		func(e *sport.Event) { e.Detail = sport.GoalPenalty }, func(e *sport.Event) { e.Side = sport.SideAway }, func(e *sport.Event) { e.Minute++ },
		func(e *sport.Event) { e.ExtraMinute++ }, func(e *sport.Event) { e.PlayerID = "q" },
	} {
		e := goal
		change(&e)
		seen[EventIDs("m", []sport.Event{e})[0]] = true
	}
	if len(seen) != 8 {
		t.Errorf("%d different ids of 8", len(seen))
	}
}
