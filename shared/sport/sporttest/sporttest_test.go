package sporttest_test

import (
	"slices"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/sport/sporttest"
)

// planned are the fields that standings knows and a dataset cannot give yet. Whoever
// reads one there gives it a value here and takes it off.
var planned = []string{
	"Competition.Rules.ExtraTimeWin", "Competition.Rules.ExtraTimeLoss",
	"Competition.Rules.ShootoutWin", "Competition.Rules.ShootoutLoss",
	"Competition.Rules.AcrossGroups", "Competition.Rules.Carry", "Match.Points", "Match.TieWinner",
}

func TestEveryFieldHasAValue(t *testing.T) {
	missing := map[string]bool{}
	for _, field := range planned {
		missing[field] = true
	}
	for _, entity := range []any{
		sporttest.Organization(), sporttest.Competition(), sporttest.Team(), sporttest.Player(),
		sporttest.Match(), sporttest.GivenTable(),
	} {
		for _, field := range sporttest.Zeros(entity) {
			if !missing[field] {
				t.Errorf("%s has no value here: tests cannot follow it", field)
			}
			delete(missing, field)
		}
	}
	for field := range missing {
		t.Errorf("%s has a value: take it off the planned ones", field)
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
	got := slices.DeleteFunc(sporttest.Zeros(m), func(field string) bool { return slices.Contains(planned, field) })
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
