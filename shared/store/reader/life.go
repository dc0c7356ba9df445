package reader

import (
	"time"

	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// How long a worker may use an item that it has read. D10 allows an answer to
// be 60 seconds old, and 15 where a live match is in it; a match may go live
// while it is cached, so whatever can show one counts as if it did. The rest of
// the allowance is for what lies between a load and the read: a list's head and
// its parts are read apart. All of them, and rootLife on top, are below
// generation.Settle: D56 builds on that.
const (
	recordLife = 25 * time.Second
	liveLife   = 10 * time.Second
	absentLife = 2 * time.Second // a record that a load is about to bring
)

// life is the store.TTL of the Sports table.
func life(key store.Key, item store.Item) time.Duration {
	if item == nil {
		// A part that is missing is not written yet or deleted: it is not waited for.
		if records.IsListPart(key) || records.IsPiece(key.SK) {
			return 0
		}
		return absentLife
	}
	switch {
	case key == records.VersionKey():
		return generation.Life
	case records.ShowsLive(key):
		return liveLife
	}
	return recordLife
}
