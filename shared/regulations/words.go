package regulations

import (
	"fmt"
	"strings"

	"touchline/shared/sport"
)

// Words are the rules of an entry in words, for readers.
type Words struct {
	Points string // win, draw and loss, and those after extra time or a shoot-out: "3-1-0"
	Order  string // the criteria, first to last; the seed by what it stands for
	Carry  string // what a child's teams bring along; empty: nothing
}

// InWords says what the rules of an entry are; seed is what a seed stands for.
func InWords(r *sport.Rules, seed string) Words {
	criteria := make([]string, len(r.TieBreakers))
	for i, c := range r.TieBreakers {
		criteria[i] = Criterion(c, seed)
	}
	return Words{Points: points(r), Order: strings.Join(criteria, ", "), Carry: carried(r.Carry)}
}

func points(p *sport.Rules) string {
	text := fmt.Sprintf("%d-%d-%d", p.Win, p.Draw, p.Loss)
	if p.ExtraTimeWin != nil && p.ExtraTimeLoss != nil {
		text += fmt.Sprintf(", after extra time %d-%d", *p.ExtraTimeWin, *p.ExtraTimeLoss)
	}
	if p.ShootoutWin != nil && p.ShootoutLoss != nil {
		text += fmt.Sprintf(", by a shoot-out %d-%d", *p.ShootoutWin, *p.ShootoutLoss)
	}
	if p.ShootoutGoal {
		text += " and a goal"
	}
	for _, m := range p.Margins {
		switch {
		case m.Win != nil && m.Loss != nil:
			text += fmt.Sprintf(", won by up to %d %d-%d", m.By, *m.Win, *m.Loss)
		case m.Win != nil:
			text += fmt.Sprintf(", a win by up to %d %d", m.By, *m.Win)
		case m.Loss != nil:
			text += fmt.Sprintf(", a defeat by up to %d %d", m.By, *m.Loss)
		}
	}
	if f := p.Forfeit; f != nil {
		text += fmt.Sprintf(", a forfeit %d:0", f.Goals)
		if f.SetPoints > 0 {
			text += fmt.Sprintf(" and %d:0", f.SetPoints)
		}
		if f.Win != nil && f.Loss != nil {
			text += fmt.Sprintf(" with %d-%d", *f.Win, *f.Loss)
		}
	}
	if p.Sets > 0 {
		text += fmt.Sprintf(", over the best of %d sets", p.Sets)
	}
	return text
}

func carried(c *sport.Carry) string {
	if c == nil {
		return ""
	}
	text := map[sport.CarryPoints]string{
		sport.CarryFull: "the points", sport.CarryHalfDown: "half of the points, rounded down",
		sport.CarryHalfUp: "half of the points, rounded up", sport.CarryNone: "no points",
	}[c.Points]
	if c.Record {
		text += ", the record and the matches"
	}
	if c.Among == sport.CarryQualified {
		text += ", of the matches among those that came along"
	}
	return text
}

// Criterion is a criterion of a table in words; seed is what a seed stands for.
func Criterion(c sport.TieBreaker, seed string) string {
	if block, ok := c.Block(); ok {
		names := make([]string, len(block.Criteria))
		for i, of := range block.Criteria {
			names[i] = Criterion(of, seed)
		}
		head := "head to head"
		if block.Once {
			head += " once"
		}
		if block.AllPlayed {
			head += " when all have met"
		}
		return head + " (" + strings.Join(names, ", ") + ")"
	}
	words, ok := map[sport.TieBreaker]string{
		sport.ByGoalDiff: "difference", sport.ByGoalsFor: "goals", sport.ByWon: "wins",
		sport.ByAwayGoals: "goals away", sport.ByAwayWon: "wins away", sport.ByGoalRatio: "quotient", sport.ByFairPlay: "cards",
		sport.ByOpponentsPoints: "points of the opponents", sport.ByOpponentsDiff: "difference of the opponents",
		sport.ByOpponentsGoals: "goals of the opponents", sport.BySonnebornBerger: "Sonneborn-Berger",
		sport.BySetPointsRatio: "quotient of the points in sets", sport.BySetPointsDiff: "difference of the points in sets",
		sport.ByGroupPoints: "points per match within the group", sport.ByPointsPerMatch: "points per match",
		sport.ByHalfPoint: "rounding of the half point", sport.ByParentRank: "place in the table before", sport.BySeed: seed,
	}[c]
	if !ok {
		return string(c)
	}
	return words
}
