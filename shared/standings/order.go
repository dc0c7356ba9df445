package standings

import (
	"bytes"
	"cmp"
	"slices"

	"touchline/shared/sport"
)

// sort puts level teams, given by their places, in the order of the criteria,
// and those still level after the last in the order of name and id.
func (t *tally) sort(level []int, criteria []sport.TieBreaker) {
	if len(level) < 2 {
		return
	}
	if len(criteria) == 0 {
		slices.SortFunc(level, func(a, b int) int {
			return compareNames(&t.lines[a].entry, &t.lines[b].entry)
		})
		return
	}
	compare := t.comparison(criteria[0], level)
	slices.SortFunc(level, compare)
	for start := 0; start < len(level); {
		end := start + 1
		for end < len(level) && compare(level[start], level[end]) == 0 {
			end++
		}
		t.sort(level[start:end], criteria[1:])
		start = end
	}
}

// comparison is one criterion among teams that are level so far: negative where
// team a is before team b.
func (t *tally) comparison(criterion sport.TieBreaker, level []int) func(a, b int) int {
	switch criterion {
	case sport.ByPoints:
		return t.descending(func(l *line) int { return l.points() })
	case sport.ByGoalDiff:
		return t.descending(func(l *line) int { return l.total.goalDiff() })
	case sport.ByGoalsFor:
		return t.descending(func(l *line) int { return l.total.goalsFor })
	case sport.ByWon:
		return t.descending(func(l *line) int { return l.total.won })
	case sport.BySeed:
		return t.descending(func(l *line) int { return l.entry.Seed })
	case sport.ByName:
		return func(a, b int) int {
			return bytes.Compare(t.lines[a].entry.NameKey, t.lines[b].entry.NameKey)
		}
	case sport.ByHeadToHeadPoints:
		return t.headToHead(level, func(r *record) int { return r.points })
	case sport.ByHeadToHeadGoalDiff:
		return t.headToHead(level, func(r *record) int { return r.goalDiff() })
	case sport.ByHeadToHeadGoalsFor:
		return t.headToHead(level, func(r *record) int { return r.goalsFor })
	default:
		return func(int, int) int { return 0 }
	}
}

func (t *tally) descending(value func(*line) int) func(a, b int) int {
	return func(a, b int) int {
		return cmp.Compare(value(&t.lines[b]), value(&t.lines[a]))
	}
}

// headToHead compares by the table of the matches among the level teams.
func (t *tally) headToHead(level []int, value func(*record) int) func(a, b int) int {
	among := make(map[int]*record, len(level))
	for _, team := range level {
		among[team] = &record{}
	}
	for _, team := range level {
		for _, g := range t.lines[team].atHome {
			opponent, isLevel := among[g.away]
			if !isLevel {
				continue
			}
			among[team].add(t.rules, g.score.Home, g.score.Away)
			opponent.add(t.rules, g.score.Away, g.score.Home)
		}
	}
	return func(a, b int) int {
		return cmp.Compare(value(among[b]), value(among[a]))
	}
}

func compareNames(a, b *TeamEntry) int {
	return cmp.Or(bytes.Compare(a.NameKey, b.NameKey), cmp.Compare(a.ID, b.ID))
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
