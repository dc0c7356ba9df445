package sport

import "strings"

// Ends reports whether a match can end with a score: where the rules have it go over the
// best of some sets, one side has won more than half of them and the other fewer (D80).
func (r *Rules) Ends(s *Score) bool {
	need := (r.Sets + 1) / 2
	return r.Sets == 0 || max(s.Home, s.Away) == need && min(s.Home, s.Away) < need
}

// UseSetPoints reports whether the order of the table asks for the points of sets.
func (r *Rules) UseSetPoints() bool {
	return Uses(r.TieBreakers, BySetPointsRatio) || Uses(r.TieBreakers, BySetPointsDiff)
}

// OfSets are the score, and the points of all sets together, of a match whose sets ended so.
// Wrong is the index of a set that nobody has won, or that follows the decision; -1: none.
func OfSets(sets []Score) (score, points Score, wrong int) {
	for i, s := range sets {
		points.Home += s.Home
		points.Away += s.Away
		switch s.Lead() {
		case 1:
			score.Home++
		case -1:
			score.Away++
		default:
			return score, points, i
		}
	}
	if n := len(sets); n > 0 && sets[n-1].Lead() != score.Lead() {
		return score, points, n - 1
	}
	return score, points, -1
}

// SplitSets are sets as people write them in one text: "25:23 20:25, 25:18".
func SplitSets(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;|/\t\u00a0", r) })
}
