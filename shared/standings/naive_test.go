package standings_test

import (
	"cmp"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// naiveTable is the table worked out the long way, without sharing a line with
// the package: every figure is summed anew from the list of matches each time
// it is asked for.
func naiveTable(in standings.Input) []standings.Row {
	var rows []standings.Row
	groups := slices.Clone(in.Groups)
	slices.SortFunc(groups, func(a, b sport.Group) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
	})
	for _, g := range append(groups, sport.Group{}) {
		var members []standings.TeamEntry
		for _, team := range in.Teams {
			if len(in.Groups) == 0 || team.GroupID == g.ID {
				members = append(members, team)
			}
		}
		n := naive{in: in, group: g.ID}
		for i, team := range n.order(members, in.Rules.TieBreakers) {
			row := n.row(team)
			row.Rank = i + 1
			rows = append(rows, row)
		}
	}
	return rows
}

type naive struct {
	in    standings.Input
	group sport.ID
}

// results are the scores of a team against opponents, its own goals first.
func (n naive) results(team sport.ID, opponents []standings.TeamEntry) [][2]int {
	among := func(id sport.ID) bool {
		return slices.ContainsFunc(opponents, func(o standings.TeamEntry) bool {
			return o.ID == id && (len(n.in.Groups) == 0 || o.GroupID == n.group)
		})
	}
	var out [][2]int
	for _, m := range n.in.Matches {
		if m.Status != sport.Finished || m.Score == nil {
			continue
		}
		if len(n.in.Groups) > 0 && m.GroupID != n.group {
			continue
		}
		if m.HomeTeamID == team && among(m.AwayTeamID) {
			out = append(out, [2]int{m.Score.Home, m.Score.Away})
		}
		if m.AwayTeamID == team && among(m.HomeTeamID) {
			out = append(out, [2]int{m.Score.Away, m.Score.Home})
		}
	}
	return out
}

func (n naive) row(team standings.TeamEntry) standings.Row {
	r := standings.Row{TeamID: team.ID, GroupID: n.group, Points: team.StartingPoints, StartingPoints: team.StartingPoints}
	for _, s := range n.results(team.ID, n.in.Teams) {
		r.Played++
		r.GoalsFor += s[0]
		r.GoalsAgainst += s[1]
		r.GoalDiff += s[0] - s[1]
		if s[0] > s[1] {
			r.Won++
			r.Points += n.in.Rules.Win
		}
		if s[0] == s[1] {
			r.Drawn++
			r.Points += n.in.Rules.Draw
		}
		if s[0] < s[1] {
			r.Lost++
			r.Points += n.in.Rules.Loss
		}
	}
	return r
}

// order takes the best of the level teams by the first criterion, orders those
// by the rest of the list, and goes on with the others.
func (n naive) order(level []standings.TeamEntry, criteria []sport.TieBreaker) []standings.TeamEntry {
	if len(level) == 0 {
		return nil
	}
	if len(criteria) == 0 {
		return slices.SortedFunc(slices.Values(level), func(a, b standings.TeamEntry) int {
			return cmp.Or(cmp.Compare(string(a.NameKey), string(b.NameKey)), cmp.Compare(a.ID, b.ID))
		})
	}
	if criteria[0] == sport.ByName {
		byName := n.order(level, nil)
		same := 1
		for same < len(byName) && string(byName[same].NameKey) == string(byName[0].NameKey) {
			same++
		}
		return append(n.order(byName[:same], criteria[1:]), n.order(byName[same:], criteria)...)
	}
	values := map[int][]standings.TeamEntry{}
	for _, team := range level {
		v := n.value(team, criteria[0], level)
		values[v] = append(values[v], team)
	}
	var out []standings.TeamEntry
	keys := make([]int, 0, len(values))
	for v := range values {
		keys = append(keys, v)
	}
	slices.Sort(keys)
	for _, v := range slices.Backward(keys) {
		out = append(out, n.order(values[v], criteria[1:])...)
	}
	return out
}

func (n naive) value(team standings.TeamEntry, criterion sport.TieBreaker, level []standings.TeamEntry) int {
	row := n.row(team)
	inner := naive{in: n.in, group: n.group}
	inner.in.Teams = level
	direct := inner.row(team)
	return map[sport.TieBreaker]int{
		sport.ByPoints:             row.Points,
		sport.ByGoalDiff:           row.GoalDiff,
		sport.ByGoalsFor:           row.GoalsFor,
		sport.ByWon:                row.Won,
		sport.BySeed:               team.Seed,
		sport.ByHeadToHeadPoints:   direct.Points - direct.StartingPoints,
		sport.ByHeadToHeadGoalDiff: direct.GoalDiff,
		sport.ByHeadToHeadGoalsFor: direct.GoalsFor,
	}[criterion]
}
