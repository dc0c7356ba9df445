// Package results checks what a match's line says of its result, which no field shows by
// itself.
package results

import (
	"cmp"
	"fmt"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// Sets derives the score and the setPoints from sets, another way to write them (D80).
func Sets(l *jsonl.Line, m *sport.Match, sets []sport.Score) {
	score, points, wrong := sport.OfSets(sets)
	field := fmt.Sprintf("sets[%d]", wrong)
	switch {
	case m.Status != sport.Finished:
		l.Fault("sets", "needs a match that is finished")
	case wrong >= 0 && sets[wrong].Lead() == 0:
		l.Faultf(field, "is %d:%[2]d: a set has a winner", sets[wrong].Home, sets[wrong].Away)
	case wrong >= 0:
		l.Faultf(field, "is the last, and not won by the side that is ahead: the sets come to %d:%d", score.Home, score.Away)
	case m.Score != nil && *m.Score != score:
		l.Faultf("score", "is %d:%d, but the sets come to %d:%d", m.Score.Home, m.Score.Away, score.Home, score.Away)
	case m.SetPoints != nil && *m.SetPoints != points:
		l.Faultf("setPoints", "are %d:%d, but the sets come to %d:%d", m.SetPoints.Home, m.SetPoints.Away, points.Home, points.Away)
	default:
		m.Score, m.SetPoints = &score, &points
	}
}

// Ruling warns of a winner, a score and points of which not all are likely to be
// meant (D59). A match that was not played has 0:0 or the score that it was awarded.
func Ruling(l *jsonl.Line, m *sport.Match) {
	if m.Status != sport.Finished || m.Score == nil {
		return
	}
	home, away, ruled := m.Ruling()
	if ruled && *m.Score != (sport.Score{}) {
		l.Warnf("winner", "is %s, but the score is %d:%d: it counts as a ruling", m.Winner, m.Score.Home, m.Score.Away)
	}
	if p := m.Penalties; p != nil && p.Home == p.Away {
		l.Warnf("penalties", "are %d:%d: a shoot-out has a winner", p.Home, p.Away)
	}
	const each = 5 // kicks, before the first lead decides
	if p := m.Penalties; p != nil && max(p.Home, p.Away) > each && max(p.Home-p.Away, p.Away-p.Home) > 1 {
		l.Warnf("penalties", "are %d:%d: a shoot-out ends with a lead of one after %d each, and penalty minutes have no field", p.Home, p.Away, each)
	}
	if m.Penalties != nil && m.Score.Home != m.Score.Away && m.Leg == 0 && !m.TwoLegs {
		l.Warnf("penalties", "are given, but the score is %d:%d: a shoot-out follows a draw, and penalty minutes have no field", m.Score.Home, m.Score.Away)
	}
	if m.Points == nil {
		return
	}
	p := *m.Points
	won := cmp.Compare(p.Home, p.Away)
	as := map[[2]int]string{{1, -1}: "won by the home team", {-1, 1}: "won by the away team", {0, 0}: "drawn", {-1, -1}: "lost by both"}[[2]int{home, away}]
	switch lead := (home - away) / 2; {
	case lead != 0 && won == -lead, // the loser has more
		home == 0 && min(p.Home, p.Away) <= 0 && max(p.Home, p.Away) > 0, // a draw that only one gains from
		home < 0 && away < 0 && max(p.Home, p.Away) > 0:
		l.Warnf("points", "are %d:%d, but the match counts as %s: a winner says who won by a ruling", p.Home, p.Away, as)
	}
}

// Upcoming refuses what a match that has not begun cannot have (D50). The
// values that responses show for it, 0:0 and no winner, may be given.
func Upcoming(l *jsonl.Line, m *sport.Match) {
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"score", m.Score != nil && *m.Score != (sport.Score{})}, {"penalties", m.Penalties != nil}, {"events", len(m.Events) > 0},
		{"winner", m.Winner != "" && m.Winner != sport.WinnerNone}, {"points", m.Points != nil}, {"setPoints", m.SetPoints != nil}, {"tieWinner", m.TieWinner != ""},
	} {
		if f.given {
			l.Fault(f.name, "must be left out: the match is upcoming")
		}
	}
	m.Score = nil
}

// Goals warns of goals that do not add up to the score (D51). Without any
// goal among the events there is nothing to add up: they are not recorded.
func Goals(l *jsonl.Line, m *sport.Match) {
	var goals sport.Score
	for _, e := range m.Events {
		switch {
		case e.Type != sport.EventGoal:
		case e.Side == sport.SideHome:
			goals.Home++
		case e.Side == sport.SideAway:
			goals.Away++
		}
	}
	if goals != (sport.Score{}) && m.Score != nil && goals != *m.Score {
		l.Warnf("events", "the goals add up to %d:%d, but the score is %d:%d", goals.Home, goals.Away, m.Score.Home, m.Score.Away)
	}
}
