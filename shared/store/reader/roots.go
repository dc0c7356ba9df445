package reader

import (
	"context"
	"math"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

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
