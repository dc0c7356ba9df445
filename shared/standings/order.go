package standings

import (
	"bytes"
	"cmp"
	"slices"

	"touchline/shared/sport"
)

// sorter puts the teams of a section in order, and notes what decided it.
type sorter struct {
	tally   *tally
	decided []Decision // by place in the section: against the next
}

// sort puts level teams, given by their places in lines, in the order of the
// criteria, and those still level after the last in the order of name and id.
// at is the place in the section of the first.
func (s *sorter) sort(level []int, at int, criteria []sport.TieBreaker) {
	if len(level) < 2 {
		return
	}
	if len(criteria) == 0 {
		s.byName(level, at)
		return
	}
	rest := criteria[1:]
	if criteria[0] == sport.ByName {
		names := func(a, b int) int { return bytes.Compare(s.entry(a).NameKey, s.entry(b).NameKey) }
		s.each(level, at, s.split(level, at, names, func(int, int) Decision { return Decision{By: sport.ByName} }), rest)
		return
	}
	block, headToHead := criteria[0].Block()
	switch {
	case headToHead && block.AllPlayed && !s.tally.allPlayed(level):
		s.sort(level, at, rest)
	case !headToHead:
		s.each(level, at, s.splitBy(level, at, s.tally.whole(), criteria[:1], 0), rest)
	default:
		ends := s.splitBy(level, at, s.tally.among(level), block.Criteria, len(level))
		if !block.Once && len(ends) > 1 {
			rest = criteria
		}
		s.each(level, at, ends, rest)
	}
}

// each sorts the parts of level teams, which end at the places given. The table that parted
// them is no longer needed: with 10,000 teams that come apart one by one (D47), as many of
// them would take 8 GB.
func (s *sorter) each(level []int, at int, ends []int, criteria []sport.TieBreaker) {
	start := 0
	for _, end := range ends {
		s.sort(level[start:end], at+start, criteria)
		start = end
	}
}

// splitBy orders level teams by criteria that are all computed on one table, and
// returns where the parts end that stay level. of is the number of teams in a table of
// head to head, 0 for the whole table.
func (s *sorter) splitBy(level []int, at int, table board, criteria []sport.TieBreaker, of int) (ends []int) {
	compare := func(a, b int) int {
		for _, c := range criteria {
			if d := table.value(c, b).compare(table.value(c, a)); d != 0 {
				return d
			}
		}
		return 0
	}
	return s.split(level, at, compare, func(a, b int) Decision {
		for _, c := range criteria {
			if x, y := table.value(c, a), table.value(c, b); x.compare(y) != 0 {
				return Decision{By: c, HeadToHead: of, Above: x, Below: y}
			}
		}
		return Decision{}
	})
}

// split sorts level teams, notes what decided between the parts that differ, and
// returns where each part ends.
func (s *sorter) split(level []int, at int, compare func(a, b int) int, decide func(a, b int) Decision) (ends []int) {
	slices.SortFunc(level, compare)
	for end := 1; end < len(level); end++ {
		if compare(level[end-1], level[end]) != 0 {
			s.decided[at+end-1] = decide(level[end-1], level[end])
			ends = append(ends, end)
		}
	}
	return append(ends, len(level))
}

// withdrawn is 1 for a team that has withdrawn from the season.
func (s *sorter) withdrawn(team int) int {
	if s.entry(team).Withdrawn {
		return 1
	}
	return 0
}

func (s *sorter) entry(team int) *TeamEntry { return &s.tally.lines[team].entry }

// byName is the order of what no criterion separates: by name, then by id.
func (s *sorter) byName(level []int, at int) {
	slices.SortFunc(level, func(a, b int) int {
		return cmp.Or(bytes.Compare(s.entry(a).NameKey, s.entry(b).NameKey), cmp.Compare(s.entry(a).ID, s.entry(b).ID))
	})
	for i := range len(level) - 1 {
		s.decided[at+i] = Decision{By: sport.ByName}
	}
}

// groupOrder is a competition's groups by id.
type groupOrder map[sport.ID]sport.Group

func newGroupOrder(groups []sport.Group) groupOrder {
	o := make(groupOrder, len(groups))
	for _, g := range groups {
		o[g.ID] = g
	}
	return o
}

// compare puts a competition's own groups first, by their order and then id,
// then ids that are not among them, then no group at all.
func (o groupOrder) compare(a, b sport.ID) int {
	return cmp.Or(
		cmp.Compare(o.class(a), o.class(b)),
		cmp.Compare(o[a].Order, o[b].Order),
		cmp.Compare(a, b),
	)
}

func (o groupOrder) class(id sport.ID) int {
	_, own := o[id]
	switch {
	case id == "":
		return 2
	case !own:
		return 1
	default:
		return 0
	}
}

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
