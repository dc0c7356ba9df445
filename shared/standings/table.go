package standings

import (
	"cmp"
	"maps"
	"slices"

	"touchline/shared/sport"
)

// Table computes the rows of a competition's table in the order of the response
// (D28). Explain also says what decided the order.
func Table(in Input) []Row {
	rows, _ := Explain(in)
	return rows
}

// Explain is Table, and for each row what put it above the next one of its section
// (the zero Decision for the last). It never fails: a match of a team that is not
// entered does not count, and a criterion that it does not know separates no
// teams. Apart from sorting, the work is linear in teams plus matches, once more
// for each table of head to head.
func Explain(in Input) ([]Row, []Decision) {
	t := newTally(in)
	rows := make([]Row, 0, len(t.lines))
	decisions := make([]Decision, 0, len(t.lines))
	criteria := sport.Blocks(in.Rules.TieBreakers)
	for _, section := range t.sections(newGroupOrder(in.Groups)) {
		s := sorter{tally: t, decided: make([]Decision, len(section))}
		s.each(section, 0, s.split(section, 0, func(a, b int) int { return cmp.Compare(s.withdrawn(a), s.withdrawn(b)) },
			func(int, int) Decision { return Decision{By: sport.ByWithdrawal} }), criteria)
		for i, team := range section {
			rows = append(rows, t.lines[team].row(i+1))
		}
		decisions = append(decisions, s.decided...)
	}
	return rows, decisions
}

// tally is what is counted; teams are their places in lines.
type tally struct {
	rules   sport.Rules
	grouped bool
	lines   []line
	place   map[sport.ID]int
	matches []sport.Match
	level   []record // of the table of head to head that was made last, by team
	table   []int    // which of these tables each is of
	tables  int      // how many were made
}

// line is one team's part of a tally.
type line struct {
	entry     TeamEntry
	total     record // the points of its own matches, without starting
	starting  int    // points before its first match: given, or carried
	halfPoint int    // 1 where rounding took half a point, -1 where it gave one
	above     int    // place in the parent's table, from 1; 0: none
}

// meeting is a match that counts as one of the sides sees it.
type meeting struct {
	opponent         int
	abroad           bool // at the opponent's
	result           sport.Result
	scored, conceded int
	cardPoints       int
	setPoints        sport.Score // those of its sets and of the opponent's
}

// record adds up a team's results.
type record struct {
	won, drawn, lost       int
	goalsFor, goalsAgainst int
	points                 int
	awayGoals, awayWon     int
	cardPoints             int
	setPoints              sport.Score // those of its sets and of the opponents'
	meetings               []meeting   // one for each match, those of a carried record too
}

func newTally(in Input) *tally {
	t := &tally{
		rules:   in.Rules,
		grouped: len(in.Groups) > 0,
		lines:   make([]line, len(in.Teams)),
		place:   make(map[sport.ID]int, len(in.Teams)),
		matches: in.Matches,
	}
	for i, entry := range in.Teams {
		if !t.grouped {
			entry.GroupID = ""
		}
		t.lines[i] = line{entry: entry}
		t.lines[i].starting = entry.StartingPoints
		if in.Parent != nil && in.Rules.Carry != nil { // only a deduction counts beside what is carried (D85)
			t.lines[i].starting = min(entry.StartingPoints, 0)
		}
		t.place[entry.ID] = i
	}
	for i := range in.Matches {
		t.count(&in.Matches[i], in.CardPoints)
	}
	if in.Parent != nil {
		t.bringAlong(in.Parent)
	}
	return t
}

// count adds a match to both teams' lines if it counts.
func (t *tally) count(m *sport.Match, cards func(*sport.Match) (home, away int)) {
	home, away, ok := t.teams(m)
	if !ok || m.Status != sport.Finished || m.Score == nil {
		return
	}
	goals := t.rules.Goals(m)
	h := meeting{opponent: away, scored: goals.Home, conceded: goals.Away}
	a := meeting{opponent: home, scored: goals.Away, conceded: goals.Home, abroad: true}
	h.result, a.result = t.rules.Results(m)
	if m.SetPoints != nil {
		h.setPoints, a.setPoints = *m.SetPoints, sport.Score{Home: m.SetPoints.Away, Away: m.SetPoints.Home}
	}
	if cards != nil {
		h.cardPoints, a.cardPoints = cards(m)
	}
	t.lines[home].total.add(h)
	t.lines[away].total.add(a)
}

// teams are the places of a match's teams; ok is false for a match of no section.
func (t *tally) teams(m *sport.Match) (home, away int, ok bool) {
	home, homeEntered := t.place[m.HomeTeamID]
	away, awayEntered := t.place[m.AwayTeamID]
	return home, away, homeEntered && awayEntered && home != away && t.inGroups(home, away, m.GroupID)
}

// allPlayed reports whether no match among some teams is still to be played (D67). A
// postponed match is, unless a later one of the same fixture is in its place.
func (t *tally) allPlayed(level []int) bool {
	type fixture struct{ home, away int }
	latest := map[fixture]*sport.Match{}
	among := make(map[int]bool, len(level))
	for _, team := range level {
		among[team] = true
	}
	for i := range t.matches {
		m := &t.matches[i]
		home, away, ok := t.teams(m)
		if !ok || !among[home] || !among[away] {
			continue
		}
		at := fixture{home, away}
		if m.Status == sport.Upcoming || m.Status == sport.Live {
			return false
		}
		if l := latest[at]; l == nil || m.Kickoff.After(l.Kickoff) || m.Kickoff.Equal(l.Kickoff) && m.Status != sport.Postponed {
			latest[at] = m
		}
	}
	for _, m := range latest {
		if m.Status == sport.Postponed {
			return false
		}
	}
	return true
}

// inGroups reports whether a match of a group counts for its teams' tables.
func (t *tally) inGroups(home, away int, group sport.ID) bool {
	h, a := t.lines[home].entry.GroupID, t.lines[away].entry.GroupID
	if !t.grouped || (h == group && a == group) {
		return true
	}
	return t.rules.AcrossGroups && h != a && h != "" && a != ""
}

func (r *record) add(m meeting) {
	r.goalsFor += m.scored
	r.goalsAgainst += m.conceded
	r.points += m.result.Points
	r.cardPoints += m.cardPoints
	r.setPoints.Home += m.setPoints.Home
	r.setPoints.Away += m.setPoints.Away
	r.meetings = append(r.meetings, m)
	switch {
	case m.result.Lead > 0:
		r.won++
	case m.result.Lead == 0:
		r.drawn++
	default:
		r.lost++
	}
	if m.abroad {
		r.awayGoals += m.scored
		r.awayWon += max(m.result.Lead, 0)
	}
}

// sections are the teams by group, in the order of the groups.
func (t *tally) sections(order groupOrder) [][]int {
	byGroup := map[sport.ID][]int{}
	for i := range t.lines {
		group := t.lines[i].entry.GroupID
		byGroup[group] = append(byGroup[group], i)
	}
	var sections [][]int
	for _, group := range slices.SortedFunc(maps.Keys(byGroup), order.compare) {
		sections = append(sections, byGroup[group])
	}
	return sections
}

func (l *line) points() int { return l.total.points + l.starting }

func (r *record) goalDiff() int { return r.goalsFor - r.goalsAgainst }

func (r *record) played() int { return r.won + r.drawn + r.lost }

func (l *line) row(rank int) Row {
	return Row{
		TeamID:         l.entry.ID,
		GroupID:        l.entry.GroupID,
		Rank:           rank,
		Played:         l.total.played(),
		Won:            l.total.won,
		Drawn:          l.total.drawn,
		Lost:           l.total.lost,
		GoalsFor:       l.total.goalsFor,
		GoalsAgainst:   l.total.goalsAgainst,
		Points:         l.points(),
		StartingPoints: l.starting,
	}
}
