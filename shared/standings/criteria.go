package standings

import (
	"cmp"
	"fmt"
	"strconv"

	"touchline/shared/sport"
)

// Value is what a team has of a criterion: a fraction, of which more is better.
// Whole numbers are over 1; a quotient with nothing below is infinite (Of 0).
type Value struct{ N, Of int }

func whole(n int) Value { return Value{n, 1} }

// compare is positive where v is better.
func (v Value) compare(w Value) int { return cmp.Compare(v.N*w.Of, w.N*v.Of) }

// String writes a whole number as such, a quotient as 12/5.
func (v Value) String() string {
	if v.Of == 1 {
		return strconv.Itoa(v.N)
	}
	return fmt.Sprintf("%d/%d", v.N, v.Of)
}

// Decision is what put a row of a table above the next one.
type Decision struct {
	By sport.TieBreaker // empty: there is no next row; name also where only the id is left
	// HeadToHead is the number of teams whose matches among each other the values are
	// of; 0: they are of the whole table.
	HeadToHead   int
	Above, Below Value // zero of a decision by name
}

// board is a table that criteria are computed on: all matches, or those among the
// teams of a set, until the next such board of the tally is made.
type board struct {
	tally *tally
	among bool // false: the whole table
}

func (t *tally) whole() board { return board{tally: t} }

// among is the table of the matches among some teams, with those of a carried
// record.
func (t *tally) among(level []int) board {
	if t.tables++; t.level == nil {
		t.level, t.table = make([]record, len(t.lines)), make([]int, len(t.lines))
	}
	for _, team := range level {
		t.level[team] = record{meetings: t.level[team].meetings[:0]}
		t.table[team] = t.tables
	}
	for _, team := range level {
		for _, m := range t.lines[team].total.meetings {
			if t.table[m.opponent] == t.tables {
				t.level[team].add(m)
			}
		}
	}
	return board{t, true}
}

func (b board) record(team int) *record {
	if !b.among {
		return &b.tally.lines[team].total
	}
	return &b.tally.level[team]
}

// points of a team on this table: starting points are no part of head to head.
func (b board) points(team int) int {
	if !b.among {
		return b.tally.lines[team].points()
	}
	return b.tally.level[team].points
}

// value is what a team has of a criterion, 0 for one that is not known.
func (b board) value(criterion sport.TieBreaker, team int) Value {
	r, l := b.record(team), &b.tally.lines[team]
	switch criterion {
	case sport.ByPoints:
		return whole(b.points(team))
	case sport.ByGoalDiff:
		return whole(r.goalDiff())
	case sport.ByGoalsFor:
		return whole(r.goalsFor)
	case sport.ByWon:
		return whole(r.won)
	case sport.ByAwayGoals:
		return whole(r.awayGoals)
	case sport.ByAwayWon:
		return whole(r.awayWon)
	case sport.ByGoalRatio:
		return ratio(r.goalsFor, r.goalsAgainst)
	case sport.ByFairPlay:
		return whole(r.cardPoints)
	case sport.ByOpponentsPoints:
		return b.ofOpponents(team, b.points)
	case sport.ByOpponentsDiff:
		return b.ofOpponents(team, func(opponent int) int { return b.record(opponent).goalDiff() })
	case sport.ByOpponentsGoals:
		return b.ofOpponents(team, func(opponent int) int { return b.record(opponent).goalsFor })
	case sport.BySonnebornBerger:
		return b.sonnebornBerger(team)
	case sport.BySetPointsRatio:
		return ratio(r.setPoints.Home, r.setPoints.Away)
	case sport.BySetPointsDiff:
		return whole(r.setPoints.Home - r.setPoints.Away)
	case sport.ByGroupPoints:
		return b.inGroup(team)
	case sport.ByPointsPerMatch:
		if r.played() == 0 {
			return whole(0)
		}
		return Value{b.points(team), r.played()}
	case sport.ByHalfPoint:
		return whole(l.halfPoint)
	case sport.ByParentRank:
		return whole(-l.above)
	case sport.BySeed:
		return whole(l.entry.Seed)
	default:
		return whole(0)
	}
}

// ratio is a quotient, infinite with nothing below.
func ratio(n, of int) Value {
	if of == 0 {
		return Value{1, 0}
	}
	return Value{n, of}
}

// ofOpponents adds up what the opponents have on this table, each once a match.
func (b board) ofOpponents(team int, value func(opponent int) int) Value {
	sum := 0
	for _, m := range b.record(team).meetings {
		sum += value(m.opponent)
	}
	return whole(sum)
}

// sonnebornBerger is the points of the opponents that were beaten, and half of those of
// the ones that were drawn with.
func (b board) sonnebornBerger(team int) Value {
	twice := 0
	for _, m := range b.record(team).meetings {
		twice += (1 + m.result.Lead) * b.points(m.opponent)
	}
	if twice%2 == 0 {
		return whole(twice / 2)
	}
	return Value{twice, 2}
}

// inGroup is the points of the matches against teams of the same group by their
// number, where matches across groups count as well.
func (b board) inGroup(team int) Value {
	points, played := 0, 0
	for _, m := range b.record(team).meetings {
		if b.tally.lines[m.opponent].entry.GroupID == b.tally.lines[team].entry.GroupID {
			points += m.result.Points
			played++
		}
	}
	if played == 0 {
		return whole(0)
	}
	return Value{points, played}
}
