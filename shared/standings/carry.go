package standings

import (
	"bytes"
	"cmp"
	"slices"

	"touchline/shared/sport"
)

// bringAlong gives the teams of a child their places in the parent's table, and
// what the rules carry over from it: points, record and matches.
func (t *tally) bringAlong(parent *Parent) {
	if t.rules.Carry != nil {
		for i := range t.lines {
			t.lines[i].starting = 0
		}
	}
	p := newTally(parent.Input)
	rows := parent.Given
	if rows == nil {
		rows = Table(parent.Input)
	}
	from := t.fromParent(p)
	to := make(map[int]int, len(from)) // the other way round
	for child, before := range from {
		to[before] = child
	}
	came := make([]int, 0, len(to))
	for before := range to {
		came = append(came, before)
	}
	qualified := p.among(came).among
	for _, row := range rows {
		before, known := p.place[row.TeamID]
		child, along := to[before]
		if !known || !along {
			continue
		}
		l := &t.lines[child]
		l.above = row.Rank
		if c := t.rules.Carry; c != nil {
			l.carry(c, row, &p.lines[before].total, qualified[before])
		}
	}
	if c := t.rules.Carry; c != nil && c.Record {
		t.carryGames(p, to)
	}
}

// carry gives a line its starting points and, with the record, what the team did
// before: all of the parent's row, or what it did among those that came along.
func (l *line) carry(c *sport.Carry, row Row, all, qualified *record) {
	points := row.Points
	if c.Among == sport.CarryQualified {
		points = qualified.points
	}
	l.starting, l.halfPoint = carried(c.Points, points)
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
	own.addSetPoints(before.setPoints.Home, before.setPoints.Away)
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

// carryGames adds the parent's matches between teams of the child, for head to
// head and for the points of opponents.
func (t *tally) carryGames(p *tally, to map[int]int) {
	for before := range p.lines {
		home, came := to[before]
		if !came {
			continue
		}
		for _, g := range p.lines[before].atHome {
			away, came := to[g.away]
			if !came {
				continue
			}
			g.away = away
			t.lines[home].atHome = append(t.lines[home].atHome, g)
			t.lines[home].total.meetings = append(t.lines[home].total.meetings, meeting{away, g.results[0]})
			t.lines[away].total.meetings = append(t.lines[away].total.meetings, meeting{home, g.results[1]})
		}
	}
}

// fromParent finds each team of the child in the parent: the same entry, else the
// entry of the same club, where it has several there that of the same name; a team
// without a club by its name. Each team of the parent comes along once; of several
// that are alike, those of lower ids with each other.
func (t *tally) fromParent(p *tally) map[int]int {
	byClub := map[sport.ID][]int{}
	for _, i := range p.byID() {
		byClub[p.lines[i].entry.ClubID] = append(byClub[p.lines[i].entry.ClubID], i)
	}
	from, taken := map[int]int{}, map[int]bool{}
	take := func(child, before int) {
		if _, done := from[child]; !done && !taken[before] {
			from[child], taken[before] = before, true
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
	return from
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
