package standings

import (
	"slices"

	"touchline/shared/sport"
)

// Table computes the rows of a competition's table in the order of the answer
// (D28). It never fails: a match of a team that is not entered does not count,
// and a tie-breaker it does not know separates no teams. Apart from sorting,
// the work is linear in teams plus matches, once more for each head-to-head
// criterion that is reached.
func Table(in Input) []Row {
	t := newTally(in)
	for i := range in.Matches {
		t.count(&in.Matches[i])
	}
	order := newGroupOrder(in.Groups)
	rows := make([]Row, 0, len(t.lines))
	for _, block := range t.blocks(order) {
		t.sort(block, in.Rules.TieBreakers)
		for i, team := range block {
			rows = append(rows, t.lines[team].row(i+1))
		}
	}
	return rows
}

// tally holds what is counted; teams are their places in lines.
type tally struct {
	rules   sport.Rules
	grouped bool
	lines   []line
	place   map[sport.ID]int
}

// line is one team's part of a tally.
type line struct {
	entry  TeamEntry
	total  record
	atHome []game // what counted of its home matches
}

// game is a match that counts, seen from the home side.
type game struct {
	away  int
	score sport.Score
}

// record adds up a team's results. points are those of its matches alone.
type record struct {
	won, drawn, lost       int
	goalsFor, goalsAgainst int
	points                 int
}

func newTally(in Input) *tally {
	t := &tally{
		rules:   in.Rules,
		grouped: len(in.Groups) > 0,
		lines:   make([]line, len(in.Teams)),
		place:   make(map[sport.ID]int, len(in.Teams)),
	}
	for i, entry := range in.Teams {
		if !t.grouped {
			entry.GroupID = ""
		}
		t.lines[i].entry = entry
		t.place[entry.ID] = i
	}
	return t
}

// count adds a match to both teams' lines if it counts.
func (t *tally) count(m *sport.Match) {
	if m.Status != sport.Finished || m.Score == nil {
		return
	}
	home, homeEntered := t.place[m.HomeTeamID]
	away, awayEntered := t.place[m.AwayTeamID]
	if !homeEntered || !awayEntered || home == away {
		return
	}
	h, a := &t.lines[home], &t.lines[away]
	if t.grouped && (h.entry.GroupID != m.GroupID || a.entry.GroupID != m.GroupID) {
		return
	}
	h.total.add(t.rules, m.Score.Home, m.Score.Away)
	a.total.add(t.rules, m.Score.Away, m.Score.Home)
	h.atHome = append(h.atHome, game{away: away, score: *m.Score})
}

func (r *record) add(rules sport.Rules, scored, conceded int) {
	r.goalsFor += scored
	r.goalsAgainst += conceded
	switch {
	case scored > conceded:
		r.won++
		r.points += rules.Win
	case scored == conceded:
		r.drawn++
		r.points += rules.Draw
	default:
		r.lost++
		r.points += rules.Loss
	}
}

// blocks are the teams by group, in the order of the groups.
func (t *tally) blocks(order groupOrder) [][]int {
	byGroup := map[sport.ID][]int{}
	for i := range t.lines {
		group := t.lines[i].entry.GroupID
		byGroup[group] = append(byGroup[group], i)
	}
	groups := make([]sport.ID, 0, len(byGroup))
	for group := range byGroup {
		groups = append(groups, group)
	}
	slices.SortFunc(groups, order.compare)
	blocks := make([][]int, len(groups))
	for i, group := range groups {
		blocks[i] = byGroup[group]
	}
	return blocks
}

func (l *line) points() int { return l.total.points + l.entry.StartingPoints }

func (r record) goalDiff() int { return r.goalsFor - r.goalsAgainst }

func (l *line) row(rank int) Row {
	return Row{
		TeamID:         l.entry.ID,
		GroupID:        l.entry.GroupID,
		Rank:           rank,
		Played:         l.total.won + l.total.drawn + l.total.lost,
		Won:            l.total.won,
		Drawn:          l.total.drawn,
		Lost:           l.total.lost,
		GoalsFor:       l.total.goalsFor,
		GoalsAgainst:   l.total.goalsAgainst,
		GoalDiff:       l.total.goalDiff(),
		Points:         l.points(),
		StartingPoints: l.entry.StartingPoints,
	}
}
