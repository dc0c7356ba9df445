// Package near finds what a misspelt word was meant to be.
package near

import "strings"

// To returns the candidate that a misspelt word was most likely meant to be:
// the one fewest edits away, at most a third of the word's letters and at most
// three. Letter case does not count. It is empty if none is near, and the first
// of several that are equally near.
func To(word string, candidates []string) string {
	n := New(word)
	for _, c := range candidates {
		n.Try(c)
	}
	return n.best
}

// Search looks for the nearest of many candidates.
type Search struct {
	word  []rune // in lower case
	best  string
	edits int // of best
	rows  [3][]int
}

// New begins a search for what a word was meant to be.
func New(word string) *Search { return &Search{word: []rune(strings.ToLower(word))} }

// Best returns the nearest of the candidates tried, empty if none is near.
func (n *Search) Best() string { return n.best }

// limit is the most edits at which a candidate is worth naming.
func (n *Search) limit() int {
	most := min(len(n.word)/3, 3)
	if n.best != "" {
		return min(most, n.edits-1)
	}
	return most
}

// Try compares a candidate.
func (n *Search) Try(candidate string) {
	limit := n.limit()
	// A rune has 1 to 4 bytes.
	if limit < 0 || len(candidate) > 4*(len(n.word)+limit) || len(candidate) < len(n.word)-limit {
		return
	}
	if d := n.distance([]rune(strings.ToLower(candidate)), limit); d <= limit {
		n.best, n.edits = candidate, d
	}
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour (optimal string alignment); above limit it is any number above it.
func (n *Search) distance(b []rune, limit int) int {
	a := n.word
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	for i := range n.rows {
		if len(n.rows[i]) <= len(b) {
			n.rows[i] = make([]int, len(b)+1)
		}
	}
	twoUp, up, row := n.rows[0], n.rows[1], n.rows[2]
	for j := range len(b) + 1 {
		up[j] = j
	}
	for i := range a {
		row[0] = i + 1
		least := row[0]
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(up[j]+cost, up[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], twoUp[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > limit {
			return limit + 1
		}
		twoUp, up, row = up, row, twoUp
	}
	return up[len(b)]
}

// Meant returns the end of a message that names the nearest candidate, empty if
// none is near.
func Meant(word string, candidates []string) string {
	if near := To(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
