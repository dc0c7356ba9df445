package dataset

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// What a sheet can have follows from the table of the kind's fields.
func TestColumnsAreTheFields(t *testing.T) {
	var matches []string
	columns := map[string]jsonl.Column{}
	for _, c := range Columns(files.Matches) {
		matches = append(matches, c.Path)
	}
	for _, c := range Columns(files.Competitions) {
		columns[c.Path] = c
	}
	want := []string{
		"id", "competitionId", "season", "status", "kickoffAt", "kickoffLocal", "kickoffTimeOpen", "homeTeamId", "awayTeamId", "score.home", "score.away", "penalties.home", "penalties.away",
		"extraTime", "leg", "twoLegs", "winner", "points.home", "points.away", "setPoints.home", "setPoints.away", "sets", "tieWinner", "round", "group", "visibility", "deleted", "erase", "patch",
	}
	if diff := cmp.Diff(want, matches); diff != "" {
		t.Errorf("columns of matches (-want +got):\n%s", diff)
	}
	for _, want := range []jsonl.Column{
		{Path: "id", Identifies: true},
		{Path: "season", Holds: jsonl.NumberCell, Needed: true},
		{Path: "groups.order", In: "groups", Holds: jsonl.NumberCell},
		{Path: "rules.margins.by", In: "rules.margins", Holds: jsonl.NumberCell},
		{Path: "rules.periods.count", Holds: jsonl.NumberCell},
		{Path: "rules.table", Holds: jsonl.TruthCell},
		{Path: "rules.tieBreakers", Holds: jsonl.ListCell},
		{Path: "rules.carry.points", Values: []string{"full", "halfDown", "halfUp", "none"}},
	} {
		if diff := cmp.Diff(want, columns[want.Path]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.Path, diff)
		}
	}
	if !slices.Equal(columns["gender"].Choices(), []string{string(sport.Men), string(sport.Women)}) || columns["withdrawals.matches"].Choices() != nil {
		t.Errorf("the choices of %v, %v", columns["gender"], columns["withdrawals.matches"])
	}
	if table := Columns(files.Standings); table[len(table)-1].Path != "deleted" {
		t.Errorf("a given table is patched: %v", table)
	}
}
