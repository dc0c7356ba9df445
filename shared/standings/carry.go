package standings

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"touchline/shared/sport"
)

// bringAlong gives the teams of a child their places in the parent's table, and
// what the rules carry over from it: points, record and matches.
func (t *tally) bringAlong(parent *Parent) {
	c := t.rules.Carry
	p := newTally(parent.Input)
	rows := parent.Given
	if rows == nil {
		rows = Table(parent.Input)
	}
	to := t.cameFrom(p)
	qualified := p.among(slices.Collect(maps.Keys(to)))
	for _, row := range rows {
		before, known := p.place[row.TeamID]
		child, along := to[before]
		if !known || !along {
			continue
		}
		t.lines[child].above = row.Rank
		if c != nil {
			t.lines[child].carry(c, row, &p.lines[before].total, qualified.record(before))
		}
	}
	if c != nil && c.Record {
		t.carryMeetings(p, to)
	}
}

// carry gives a line the points that it starts with, beside a deduction, and, with the record, what the team did
// before: all of the parent's row, or what it did among those that came along.
func (l *line) carry(c *sport.Carry, row Row, all, qualified *record) {
	points := row.Points
	if c.Among == sport.CarryQualified {
		points = qualified.points
	}
	points, l.halfPoint = carried(c.Points, points)
	l.starting += points
	if !c.Record {
		return
	}
	before := *all
	before.won, before.drawn, before.lost = row.Won, row.Drawn, row.Lost
	before.goalsFor, before.goalsAgainst = row.GoalsFor, row.GoalsAgainst
	if c.Among == sport.CarryQualified {
		before = *qualified
	}
	own := &l.total
	own.won += before.won
	own.drawn += before.drawn
	own.lost += before.lost
	own.goalsFor += before.goalsFor
	own.goalsAgainst += before.goalsAgainst
	own.awayGoals += before.awayGoals
	own.awayWon += before.awayWon
	own.cardPoints += before.cardPoints
	own.setPoints.Home += before.setPoints.Home
	own.setPoints.Away += before.setPoints.Away
}

// carried is how many of the points are carried, and whether rounding took half a
// point (1) or gave one (-1).
func carried(how sport.CarryPoints, points int) (starting, halfPoint int) {
	odd := points & 1
	switch how {
	case sport.CarryHalfDown:
		return (points - odd) / 2, odd
	case sport.CarryHalfUp:
		return (points + odd) / 2, -odd
	case sport.CarryNone:
		return 0, 0
	default:
		return points, 0
	}
}

// carryMeetings adds the parent's matches between teams of the child, for head to
// head and for the points of opponents.
func (t *tally) carryMeetings(p *tally, to map[int]int) {
	for before, child := range to {
		for _, m := range p.lines[before].total.meetings {
			if opponent, came := to[m.opponent]; came {
				m.opponent = opponent
				t.lines[child].total.meetings = append(t.lines[child].total.meetings, m)
			}
		}
	}
}

// cameFrom finds each team of the child in the parent: the same entry, else the
// entry of the same club, where it has several there that of the same name; a team
// without a club by its name. Each team of the parent comes along once; of several
// that are alike, those of lower ids with each other. It returns the places of the
// child's teams by those that they had in the parent.
func (t *tally) cameFrom(p *tally) map[int]int {
	byClub := map[sport.ID][]int{}
	for _, i := range p.byID() {
		byClub[p.lines[i].entry.ClubID] = append(byClub[p.lines[i].entry.ClubID], i)
	}
	to, done := map[int]int{}, map[int]bool{}
	take := func(child, before int) {
		if _, taken := to[before]; !taken && !done[child] {
			to[before], done[child] = child, true
		}
	}
	teams := t.byID()
	for _, i := range teams {
		if before, same := p.place[t.lines[i].entry.ID]; same {
			take(i, before)
		}
	}
	for _, i := range teams {
		entry := &t.lines[i].entry
		for _, before := range byClub[entry.ClubID] {
			if bytes.Equal(entry.NameKey, p.lines[before].entry.NameKey) {
				take(i, before)
			}
		}
	}
	for _, i := range teams {
		if entry := &t.lines[i].entry; entry.ClubID != "" && len(byClub[entry.ClubID]) == 1 {
			take(i, byClub[entry.ClubID][0])
		}
	}
	return to
}

// byID are the teams in the order of their ids.
func (t *tally) byID() []int {
	teams := make([]int, len(t.lines))
	for i := range teams {
		teams[i] = i
	}
	slices.SortFunc(teams, func(a, b int) int { return cmp.Compare(t.lines[a].entry.ID, t.lines[b].entry.ID) })
	return teams
}
