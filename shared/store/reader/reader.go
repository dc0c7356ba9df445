package reader

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// Items reads items through a worker's cache. Keys without an item are missing
// from the map; where the error is not nil, the map is not valid.
type Items interface {
	// Get takes from the cache what it can.
	Get(ctx context.Context, keys []store.Key, ttl store.TTL) (map[store.Key]store.Item, error)
	// Refresh reads past the cache and sees every write that returned before it.
	Refresh(ctx context.Context, keys []store.Key, ttl store.TTL) (map[store.Key]store.Item, error)
}

// Reader is a worker's view of the Sports table. It is safe for concurrent use.
type Reader struct {
	Items Items
	Now   func() time.Time

	mu    sync.Mutex
	roots roots
	seen  atomic.Bool // the data was of this build's layout when that was last read
}

// roots are the organizations that keys belong to, as the last check of whether
// they may use the API (D1 step 14) found them.
type roots struct {
	kept  *simplelru.LRU[sport.ID, root]
	bytes int
}

type root struct {
	record  *records.OrganizationRecord // nil: there isn't one
	askedAt time.Time                   // by the wall clock, before it was read
	life    time.Duration
	bytes   int
}

const (
	// maxRootBytes bounds what is kept for the check of D1 step 14: a thousand
	// organizations and more, of nearly a kilobyte each.
	maxRootBytes = 1 << 20
	// rootLife is how long a standing holds, in addition to recordLife: the age of
	// what it was read from. A request may show the record (see root), so that
	// generation.Settle bounds both together.
	rootLife = 2 * time.Second
)

// Standing reports whether the organization of a key is active and has plan pro
// (D1 step 14). One that does not exist has neither. Where it is not known yet, the
// state of the data comes with the same round trip (Generation).
func (r *Reader) Standing(ctx context.Context, id sport.ID) (active, pro bool, err error) {
	found, known := r.root(id)
	if !known {
		askedAt := r.wallClock()
		s := r.open()
		key := records.OrganizationKey(id)
		if err := s.fetch(ctx, key, records.VersionKey()); err != nil {
			return false, false, err
		}
		if found, err = record[records.OrganizationRecord](s, key); err != nil {
			return false, false, err
		}
		r.keepRoot(id, found, askedAt)
	}
	if found == nil {
		return false, false, nil
	}
	return found.Status == sport.Active, found.Plan == sport.PlanPro, nil
}

// root returns the organization of a key where the check of D1 step 14 read it
// a moment ago, so that the request need not read it again.
func (r *Reader) root(id sport.ID) (found *records.OrganizationRecord, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.roots.kept == nil {
		return nil, false
	}
	kept, ok := r.roots.kept.Get(id)
	if age := r.wallClock().Sub(kept.askedAt); !ok || age < 0 || age >= kept.life {
		return nil, false
	}
	return kept.record, true
}

// wallClock leaves the monotonic clock out: it stops while a worker is frozen
// between requests.
func (r *Reader) wallClock() time.Time { return r.Now().Round(0) }

func (r *Reader) keepRoot(id sport.ID, found *records.OrganizationRecord, askedAt time.Time) {
	life := rootLife
	if found == nil {
		life = absentLife
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	x := &r.roots
	if x.kept == nil {
		kept, err := simplelru.NewLRU(math.MaxInt, func(_ sport.ID, gone root) { x.bytes -= gone.bytes })
		if err != nil {
			panic(err) // of a size below one only
		}
		x.kept = kept
	}
	x.kept.Remove(id)
	added := root{record: found, askedAt: askedAt, life: life, bytes: rootSize(found)}
	x.bytes += added.bytes
	x.kept.Add(id, added)
	for x.bytes > maxRootBytes {
		x.kept.RemoveOldest()
	}
}

// rootSize estimates the memory that a root takes: its place in the cache, its
// fields, and what they point to.
func rootSize(r *records.OrganizationRecord) int {
	const place, fields, each = 256, 400, 16 // each: the header of a string
	if r == nil {
		return place
	}
	n := place + fields + len(r.Name) + len(r.Logo) + len(r.Description)
	for _, ids := range []records.IDs{r.Additional, r.ParentMasked, r.Owners, r.Reach} {
		n += len(ids) * (each + sport.IDLength)
	}
	for _, lists := range r.Cross {
		n += each + len(lists)
	}
	return n
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
