package standings_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// naiveTable is the table worked out the long way, without sharing a line with
// the package: every figure is summed again from the list of matches each time
// it is asked for.
func naiveTable(in standings.Input) []standings.Row {
	var rows []standings.Row
	groups := slices.Clone(in.Groups)
	slices.SortFunc(groups, func(a, b sport.Group) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
	})
	if len(groups) > 0 {
		groups = append(groups, sport.Group{ID: "another"}) // that of no group of the competition's
	}
	for _, g := range append(groups, sport.Group{}) {
		var members []standings.TeamEntry
		for _, team := range in.Teams {
			if len(in.Groups) == 0 || team.GroupID == g.ID {
				members = append(members, team)
			}
		}
		n := naive{in: in, group: g.ID}
		for i, team := range n.order(members, sport.Blocks(in.Rules.TieBreakers)) {
			row := n.row(team)
			row.Rank = i + 1
			rows = append(rows, row)
		}
	}
	return rows
}

type naive struct {
	in     standings.Input
	group  sport.ID
	direct bool // a table of head to head
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
	block, isBlock := criteria[0].Block()
	if isBlock && block.AllPlayed && n.waits(level) {
		return n.order(level, criteria[1:])
	}
	of := block.Criteria
	table := n
	if isBlock {
		table.in.Teams = level
		table.direct = true
	} else {
		of = criteria[:1]
	}
	values := map[string][]standings.TeamEntry{}
	for _, team := range level {
		key := ""
		for _, c := range of {
			key += fmt.Sprintf("%012.6f ", 1e4+table.value(team, c))
		}
		values[key] = append(values[key], team)
	}
	var out []standings.TeamEntry
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(values))) {
		if part := values[key]; isBlock && !block.Once && len(part) < len(level) {
			out = append(out, n.order(part, criteria)...)
		} else {
			out = append(out, n.order(part, criteria[1:])...)
		}
	}
	return out
}

// value is what a team has of a criterion in a table; direct ones know no
// starting points.
func (n naive) value(team standings.TeamEntry, criterion sport.TieBreaker) float64 {
	row := n.row(team)
	if n.direct {
		row.Points -= row.StartingPoints
	}
	switch criterion {
	case sport.ByPoints:
		return float64(row.Points)
	case sport.ByGoalDiff:
		return float64(row.GoalsFor - row.GoalsAgainst)
	case sport.ByGoalsFor:
		return float64(row.GoalsFor)
	case sport.ByWon:
		return float64(row.Won)
	case sport.BySeed:
		return float64(team.Seed)
	case sport.ByGoalRatio:
		if row.GoalsAgainst == 0 {
			return 5000
		}
		return float64(row.GoalsFor) / float64(row.GoalsAgainst)
	case sport.ByPointsPerMatch:
		if row.Played == 0 {
			return 0
		}
		return float64(row.Points) / float64(row.Played)
	case sport.ByAwayGoals, sport.ByAwayWon:
		goals, won := n.away(team)
		if criterion == sport.ByAwayGoals {
			return float64(goals)
		}
		return float64(won)
	case sport.ByOpponentsPoints:
		sum := 0
		for _, m := range n.in.Matches {
			for _, other := range n.in.Teams {
				sides := []sport.ID{m.HomeTeamID, m.AwayTeamID}
				if m.HomeTeamID != m.AwayTeamID && slices.Contains(sides, team.ID) && slices.Contains(sides, other.ID) && other.ID != team.ID {
					one := n
					one.in.Matches = []sport.Match{m}
					if len(one.results(team.ID, []standings.TeamEntry{other})) > 0 {
						sum += int(n.value(other, sport.ByPoints))
					}
				}
			}
		}
		return float64(sum)
	}
	return 0
}

// away are the goals and the wins of a team on opponents' grounds.
func (n naive) away(team standings.TeamEntry) (goals, won int) {
	guest := n
	guest.in.Matches = nil
	for _, m := range n.in.Matches {
		if m.AwayTeamID == team.ID {
			guest.in.Matches = append(guest.in.Matches, m)
		}
	}
	row := guest.row(team)
	return row.GoalsFor, row.Won
}

// waits reports whether a match among the teams is still to be played.
func (n naive) waits(level []standings.TeamEntry) bool {
	among := func(id sport.ID) bool {
		return slices.ContainsFunc(level, func(o standings.TeamEntry) bool { return o.ID == id })
	}
	return slices.ContainsFunc(n.in.Matches, func(m sport.Match) bool {
		if !among(m.HomeTeamID) || !among(m.AwayTeamID) || m.Status == sport.Finished || len(n.in.Groups) > 0 && m.GroupID != n.group {
			return false
		}
		return m.Status != sport.Postponed || !slices.ContainsFunc(n.in.Matches, func(o sport.Match) bool {
			return o.HomeTeamID == m.HomeTeamID && o.AwayTeamID == m.AwayTeamID && o.Status != sport.Postponed && !o.Kickoff.Before(m.Kickoff) &&
				(len(n.in.Groups) == 0 || o.GroupID == n.group)
		})
	})
}
