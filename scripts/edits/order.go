package edits

import (
	"strings"

	"touchline/shared/sport"
)

// Criterion is a criterion of a table in words.
func Criterion(c sport.TieBreaker) string {
	if block, again, ok := c.Block(); ok {
		names := make([]string, len(block))
		for i, of := range block {
			names[i] = Criterion(of)
		}
		return map[bool]string{true: "head to head", false: "head to head, once"}[again] + " (" + strings.Join(names, ", ") + ")"
	}
	text, known := map[sport.TieBreaker]string{
		sport.ByGoalDiff: "goal difference", sport.ByGoalsFor: "goals scored", sport.ByWon: "wins", sport.ByAwayGoals: "goals away",
		sport.ByAwayWon: "wins away", sport.ByGoalRatio: "goal ratio", sport.ByFairPlay: "fair play (cards)",
		sport.ByOpponentsPoints: "points of the opponents", sport.ByOpponentsDiff: "goal difference of the opponents",
		sport.ByOpponentsGoals: "goals of the opponents", sport.BySonnebornBerger: "Sonneborn-Berger",
		sport.BySetPointsRatio: "ratio of the points in sets", sport.BySetPointsDiff: "difference of points in sets", sport.ByGroupPoints: "points per match within the group",
		sport.ByPointsPerMatch: "points per match", sport.ByHalfPoint: "rounding of the half point",
		sport.ByParentRank: "place in the table before", sport.BySeed: "seed (a lot, a ruling)",
	}[c]
	if !known {
		return string(c)
	}
	return text
}
