package dataset

import "testing"

// child is a playoff of competition d with rules.
func child(rules string) string {
	return competition(`"season":2001,"stage":"playoff","parentId":"d","rules":` + rules)
}

// Rules that do not go with the rest of their competition.
func TestFaultsOfRules(t *testing.T) {
	testDefects(t, []defect{
		{"points beyond any rule", "competitions", []string{child(`{"shootoutWin":1001}`)}, 1, "rules.shootoutWin", "must be an integer from -1000 to 1000, not 1001"},
		{"carried from nowhere", "competitions", []string{competition(`"season":2001,"rules":{"carry":{}}`)}, 1, "rules.carry", "needs a parentId"},
		{"a place in no table", "competitions", []string{competition(`"season":2001,"rules":{"tieBreakers":["points","parentRank"]}`)}, 1, "rules.tieBreakers", "parentRank needs a parentId"},
		{"half points of nothing", "competitions", []string{child(`{"tieBreakers":["points",{"headToHead":["halfPoint"]}]}`)}, 1, "rules.tieBreakers", "halfPoint needs carry"},
	})
}

func TestFaultsOfGivenPointsAndTieWinners(t *testing.T) {
	const upcoming = "must be left out: the match is upcoming"
	testDefects(t, []defect{
		{"points of one side", "matches", []string{match(`"points":{"home":4}`)}, 1, "points.away", "is missing"},
		{"points beyond any rule", "matches", []string{match(`"points":{"home":4,"away":-1001}`)}, 1, "points.away", "must be an integer from -1000 to 1000, not -1001"},
		{"a tie that nobody wins", "matches", []string{match(`"tieWinner":"draw"`)}, 1, "tieWinner", `must be one of home, away, not "draw"`},
		{"points before the match", "matches", []string{kickoff(`"kickoffAt":"2025-08-01T20:30:00Z","points":{"home":4,"away":1}`)}, 1, "points", upcoming},
		{"a winner of the tie before the match", "matches", []string{kickoff(`"kickoffAt":"2025-08-01T20:30:00Z","tieWinner":"home"`)}, 1, "tieWinner", upcoming},
	})
}
