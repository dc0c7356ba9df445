package reader

import (
	"strings"
	"time"

	"touchline/shared/store"
	"touchline/shared/store/records"
)

// How long a worker may use an item that it has read. D10 allows an answer to
// be 60 seconds old, and 15 where a live match is in it; a match may go live
// while it is cached, so whatever can show one counts as if it did. The rest of
// the allowance is for what lies between a load and the read: a list's head and
// its parts are read apart.
const (
	recordLife = 25 * time.Second
	liveLife   = 10 * time.Second
	absentLife = 2 * time.Second // a record that a load is about to bring
)

// life is the store.TTL of the Sports table.
func life(key store.Key, item store.Item) time.Duration {
	if item == nil {
		if isListPart(key) {
			return 0
		}
		return absentLife
	}
	if showsMatches(key) {
		return liveLife
	}
	return recordLife
}

// isListPart reports whether key is of a part of a list that its head names: one
// that is missing is not there yet or not any more, and is never waited for.
func isListPart(key store.Key) bool {
	return strings.HasPrefix(key.PK, "L#") && key.SK != "H"
}

// showsMatches reports whether a live match can be in the item at key: a match,
// what a competition's matches add up to, a list of matches.
func showsMatches(key store.Key) bool {
	switch {
	case strings.HasPrefix(key.PK, "M#"), strings.HasPrefix(key.SK, records.FixturesPrefix), strings.HasSuffix(key.SK, "#T"), strings.HasSuffix(key.SK, "#V"):
		return true
	}
	for _, list := range []string{"km.", "tm.", "pm."} {
		if strings.HasPrefix(key.PK, "L#"+list) {
			return true
		}
	}
	return false
}
