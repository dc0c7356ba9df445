package regulations

import (
	"strings"

	"touchline/shared/sport"
)

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
