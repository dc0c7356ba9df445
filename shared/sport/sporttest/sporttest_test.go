package sporttest_test

import (
	"slices"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/sport/sporttest"
)

func TestEveryFieldHasAValue(t *testing.T) {
	for _, entity := range []any{
		sporttest.Organization(), sporttest.Competition(), sporttest.Team(), sporttest.Player(),
		sporttest.Match(), sporttest.GivenTable(),
	} {
		for _, field := range sporttest.Zeros(entity) {
			t.Errorf("%s has no value here: tests cannot follow it", field)
		}
	}
}

func TestZerosAreFoundAtAnyDepth(t *testing.T) {
	m := sporttest.Match()
	m.Leg = 0
	m.Lineups.Home.Starting[0].Grid = ""
	m.Statistics.Periods[0].Away.Fouls = nil
	m.Events = append(m.Events, sport.Event{})
	want := []string{
		"Match.Leg", "Match.Lineups.Home.Starting[0].Grid", "Match.Events[1]", "Match.Statistics.Periods[0].Away.Fouls",
	}
	if got := sporttest.Zeros(m); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
