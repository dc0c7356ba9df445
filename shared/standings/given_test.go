package standings_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

func TestGivenRowsAreOrderedByGroupRankNameAndID(t *testing.T) {
	groups := []sport.Group{{ID: "a", Order: 2}, {ID: "b", Order: 1}}
	entries := teams("ajax", "brann", "celtic", "derby", "everton", "fulham")
	entries = append(entries,
		standings.TeamEntry{ID: "0", NameKey: []byte("celtic")},
		standings.TeamEntry{ID: "zenit", NameKey: []byte("a zenit")},
	)
	table := sport.GivenTable{Rows: []sport.GivenRow{
		{TeamID: "fulham", Rank: 1},
		{TeamID: "everton", Rank: 1, GroupID: "another"},
		{TeamID: "ajax", Rank: 2, GroupID: "a"},
		{TeamID: "brann", Rank: 1, GroupID: "a"},
		{TeamID: "derby", Rank: 1, GroupID: "b"},
		{TeamID: "celtic", Rank: 1, GroupID: "b"},
		{TeamID: "0", Rank: 1, GroupID: "b"},
		{TeamID: "zenit", Rank: 1, GroupID: "b"},
	}}
	row := sport.GivenRow{TeamID: "gent", GroupID: "a", Rank: 7, Played: 4, Won: 1, Drawn: 1, Lost: 2, GoalsFor: 3, GoalsAgainst: 5, Points: -2, StartingPoints: -6}
	if diff := cmp.Diff([]standings.Row{row}, standings.Given(sport.GivenTable{Rows: []sport.GivenRow{row}}, groups, entries)); diff != "" {
		t.Errorf("figures: %s", diff)
	}
	want := []string{"1 zenit", "1 0", "1 celtic", "1 derby", "1 brann", "2 ajax", "1 everton", "1 fulham"}
	if diff := cmp.Diff(want, ranking(standings.Given(table, groups, entries))); diff != "" {
		t.Error(diff)
	}
}
