package standings

import (
	"bytes"
	"cmp"
	"slices"

	"touchline/shared/sport"
)

// Given makes the rows of a table that a dataset gives, which replace what
// would be computed (D28): every figure as given, rows in the order of the groups, then rank, then name and id, since ranks
// given may be shared. teams lends the name keys; a team missing there sorts
// before the others of its rank.
func Given(table sport.GivenTable, groups []sport.Group, teams []TeamEntry) []Row {
	entries := make(map[sport.ID]TeamEntry, len(teams))
	for _, team := range teams {
		entries[team.ID] = team
	}
	rows := slices.Clone(table.Rows)
	order := newGroupOrder(groups)
	slices.SortFunc(rows, func(a, b Row) int {
		x, y := entries[a.TeamID], entries[b.TeamID]
		return cmp.Or(
			order.compare(a.GroupID, b.GroupID),
			cmp.Compare(a.Rank, b.Rank),
			bytes.Compare(x.NameKey, y.NameKey),
			cmp.Compare(a.TeamID, b.TeamID),
		)
	})
	return rows
}
