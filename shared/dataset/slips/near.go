package slips

import (
	"strings"
	"unicode/utf8"

	"github.com/hbollon/go-edlib"
)

// Near returns the candidate that a misspelt word was most likely meant to be:
// the one fewest edits away, at most a third of the word's letters and at most
// three. Letter case does not count. It is empty if none is near, and the first
// of several that are equally near.
func Near(word string, candidates []string) (nearest string) {
	letters := utf8.RuneCountInString(word)
	word, limit := strings.ToLower(word), min(letters/3, 3) // the most edits at which a candidate is worth naming
	for _, c := range candidates {
		if d := utf8.RuneCountInString(c) - letters; d > limit || -d > limit {
			continue
		}
		// Letters swapped with their neighbours are one edit.
		if d := edlib.OSADamerauLevenshteinDistance(word, strings.ToLower(c)); d <= limit {
			nearest, limit = c, d-1
		}
	}
	return nearest
}

// DidYouMean returns the end of a message that names the nearest candidate, empty if
// none is near.
func DidYouMean(word string, candidates []string) string {
	if near := Near(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
