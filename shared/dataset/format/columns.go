package format

import (
	"slices"
	"strings"
	"sync"

	"touchline/shared/dataset/details"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/names"
	"touchline/shared/dataset/sheet"
)

// Columns are the fields that a sheet of a kind can have, in the order of the kind's
// table: all but the details of a match, two of which have sheets of their own, and behind
// them those that are looked up.
func Columns(of files.Kind) []jsonl.Column { return columns()[of] }

var columns = sync.OnceValue(func() [files.Kinds][]jsonl.Column {
	all := [files.Kinds][]jsonl.Column{
		files.Organizations: jsonl.Columns(organizationFields),
		files.Competitions:  jsonl.Columns(competitionFields),
		files.Teams:         jsonl.Columns(teamFields),
		files.Players:       jsonl.Columns(playerFields),
		files.Matches:       jsonl.Columns(matchFields),
		files.Standings:     jsonl.Columns(tableFields),
		files.Events:        append([]jsonl.Column{{Path: "match", Identifies: true}}, details.EventColumns()...),
		files.Lineups:       append([]jsonl.Column{{Path: "match", Identifies: true}}, details.LineupColumns()...),
	}
	for of := range all {
		if of := files.Kind(of); of.HasRecords() && of != files.Standings {
			all[of] = append(all[of], jsonl.Column{Path: "patch", Holds: jsonl.TruthCell})
		}
	}
	for of := range all {
		for _, n := range names.Namings[of] {
			all[of] = append(all[of], jsonl.Column{Path: n.Column, LookedUp: true})
		}
	}
	all[files.Players] = append(all[files.Players], jsonl.Column{Path: beside[0], LookedUp: true}, jsonl.Column{Path: beside[1], Holds: jsonl.NumberCell, LookedUp: true})
	all[files.Teams][0].Or = [][]string{{"organizationId", "club"}, {"competitionId", "competition"}}
	all[files.Matches][0].Or = [][]string{{"homeTeamId", "home"}, {"awayTeamId", "away"}}
	all[files.Matches] = slices.DeleteFunc(all[files.Matches], func(c jsonl.Column) bool {
		field, _, _ := strings.Cut(c.Path, ".")
		return slices.Contains(sheet.NDJSONOnly, field)
	})
	return all
})
