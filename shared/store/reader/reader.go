package reader

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// Reader reads the Sports table for a worker's requests. It is safe for concurrent use.
type Reader struct {
	Items *store.Cached

	seen atomic.Bool // the data was of this build's layout when that was last read
}

// Standing reports whether the organization of a key is active and has plan pro
// (D1 step 14). One that does not exist has neither. Where the worker does not have it,
// the state of the data comes with the same round trip (Generation).
func (r *Reader) Standing(ctx context.Context, id sport.ID) (active, pro bool, err error) {
	s, key := r.open(), records.OrganizationKey(id)
	keys := []store.Key{key}
	if _, cached := r.Items.Peek(key); !cached {
		keys = append(keys, records.VersionKey())
	}
	s.fetch(ctx, keys...)
	found := recordOr[records.OrganizationRecord](s, key)
	return found.Status == sport.Active, found.Plan == sport.PlanPro, s.err
}

// Generation returns the state of the data, at most generation.Life old; nil where
// it cannot be read now and was known before. The error is *generation.OtherError
// where there is no data of this build's layout.
func (r *Reader) Generation(ctx context.Context) (*generation.State, error) {
	key := records.VersionKey()
	items, err := r.Items.Get(ctx, []store.Key{key}, life)
	if err != nil {
		if r.seen.Load() { // what is served from the cache is of that layout
			return nil, nil //nolint:nilnil // not known
		}
		return nil, err
	}
	state, err := generation.Of(items[key])
	if _, other := errors.AsType[*generation.OtherError](err); err != nil && !other {
		return nil, err
	}
	r.seen.Store(err == nil)
	if err != nil {
		return nil, err
	}
	return &state, nil
}

// How long a worker may use an item that it has read. D10 allows a response to
// be 60 seconds old, and 15 where a live match is in it; a match may go live
// while it is cached, so whatever can show one counts as if it did. The rest of
// the allowance is for what lies between a load and the read: a list's head and
// its chunks are read apart. All of them are below generation.Settle: D56 builds on that.
const (
	recordLife = 25 * time.Second
	liveLife   = 10 * time.Second
	absentLife = 2 * time.Second // a record that a load is about to bring
)

// life is the store.TTL of the Sports table.
func life(key store.Key, item store.Item) time.Duration {
	if item == nil {
		// A chunk or piece that is missing is not written yet or deleted: it is not waited for.
		if records.IsChunk(key) || records.IsPiece(key.SK) {
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
