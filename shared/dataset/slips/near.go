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
func Near(word string, candidates []string) string {
	n := Seek(word)
	for _, c := range candidates {
		n.Try(c)
	}
	return n.best
}

// Search looks for the nearest of many candidates.
type Search struct {
	word    string // in lower case
	letters int
	best    string
	limit   int // the most edits at which a candidate is worth naming
}

// Seek begins a search for what a word was meant to be.
func Seek(word string) *Search {
	letters := utf8.RuneCountInString(word)
	return &Search{word: strings.ToLower(word), letters: letters, limit: min(letters/3, 3)}
}

// Best returns the nearest of the candidates tried, empty if none is near.
func (n *Search) Best() string { return n.best }

// Try compares a candidate. Letters swapped with their neighbours are one edit.
func (n *Search) Try(candidate string) {
	if d := utf8.RuneCountInString(candidate) - n.letters; d > n.limit || -d > n.limit {
		return
	}
	if d := edlib.OSADamerauLevenshteinDistance(n.word, strings.ToLower(candidate)); d <= n.limit {
		n.best, n.limit = candidate, d-1
	}
}

// DidYouMean returns the end of a message that names the nearest candidate, empty if
// none is near.
func DidYouMean(word string, candidates []string) string {
	if near := Near(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
