package records

import (
	"slices"
	"strings"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// What the key of an item, or the name of a list, says of what is in it.

// matchLists begin the names of the lists whose entries show matches.
var matchLists = []string{tournamentMatches, teamMatches, playerMatches}

// partedLists begin the names of the lists whose variants are parts of them
// (pagedlist.Schema.Part).
var partedLists = []string{
	Competitions.of, Competitions.below, Teams.of, Teams.below, Players.of, Players.below,
	tournamentMatches, teamMatches,
}

// hasVariants reports whether the last parameter of a list's name is a variant that is a
// part of the list without one.
func hasVariants(list string) bool { return slices.Contains(partedLists, kindOf(list)) }

// kindOf is what begins the name of a list.
func kindOf(list string) string {
	kind, _, _ := strings.Cut(list, ".")
	return kind
}

// HasParts reports whether a list is a whole one that has parts.
func HasParts(list string) bool { return hasVariants(list) && strings.HasSuffix(list, ".") }

// WholeOf is the list that a list is a part of; empty if it is not a part.
func WholeOf(list string) string {
	if !hasVariants(list) || strings.HasSuffix(list, ".") {
		return ""
	}
	return list[:strings.LastIndexByte(list, '.')+1]
}

// ShowsLive reports whether a match that is being played may be in the item at
// key (D10).
func ShowsLive(key store.Key) bool {
	if list, ok := pagedlist.ListIn(key.PK); ok {
		return slices.Contains(matchLists, kindOf(list))
	}
	switch letter, _ := Partition(key.PK); letter {
	case 'M':
		return true
	case 'T':
		return strings.HasPrefix(key.SK, FixturesPrefix)
	case 'C':
		return strings.HasSuffix(key.SK, tableSuffix) || strings.HasSuffix(key.SK, statisticsSuffix)
	}
	return false
}

// IsChunk reports whether key is of a chunk or an index page, which the head of a list
// names.
func IsChunk(key store.Key) bool {
	_, list := pagedlist.ListIn(key.PK)
	return list && !pagedlist.IsHead(key)
}
