package records

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"touchline/shared/sport"
	"touchline/shared/store"
)

// Items reads items through a worker's cache. Keys without an item are left out
// of an answer; an error is an answer about none of them.
type Items interface {
	// Get answers from the cache where it can.
	Get(ctx context.Context, keys []store.Key, ttl store.TTL) (map[store.Key]store.Item, error)
	// Refresh reads past the cache and sees every write answered before it.
	Refresh(ctx context.Context, keys []store.Key, ttl store.TTL) (map[store.Key]store.Item, error)
}

// Reader is a worker's view of the Sports table. It is safe for concurrent use.
type Reader struct {
	Items Items
	Now   func() time.Time

	mu        sync.Mutex
	roots     *simplelru.LRU[sport.ID, root]
	rootBytes int
}

// root is an organization that keys belong to, as the last check of its
// standing found it.
type root struct {
	record  *OrganizationRecord // nil: there is none
	expires time.Time
	bytes   int
}

const (
	// maxRootBytes bounds what is kept for the check of D1 step 14: a thousand
	// organizations and more, of nearly a kilobyte each.
	maxRootBytes = 1 << 20
	// rootLife is how long a standing holds; with recordLife, the age of what it
	// was read from, it stays below a minute.
	rootLife = 30 * time.Second
)

// Standing says whether the organization of a key is active and has plan pro
// (D1 step 14). One that does not exist has neither.
func (r *Reader) Standing(ctx context.Context, id sport.ID) (active, pro bool, err error) {
	record, known := r.root(id)
	if !known {
		s := r.Open()
		key := OrganizationKey(id)
		if err := s.Fetch(ctx, key); err != nil {
			return false, false, err
		}
		if record, err = Record[OrganizationRecord](s, key); err != nil {
			return false, false, err
		}
		r.keepRoot(id, record)
	}
	if record == nil {
		return false, false, nil
	}
	return record.Status == sport.Active, record.Plan == sport.PlanPro, nil
}

// Root is an organization that keys belong to, where a check of its standing
// found it a moment ago: a request of such a key need not read it again. Nil:
// not known.
func (r *Reader) Root(id sport.ID) *OrganizationRecord {
	record, _ := r.root(id)
	return record
}

func (r *Reader) root(id sport.ID) (record *OrganizationRecord, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.roots == nil {
		return nil, false
	}
	kept, ok := r.roots.Get(id)
	if !ok || !r.Now().Before(kept.expires) {
		return nil, false
	}
	return kept.record, true
}

func (r *Reader) keepRoot(id sport.ID, record *OrganizationRecord) {
	life := rootLife
	if record == nil {
		life = absentLife
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.roots == nil {
		roots, err := simplelru.NewLRU(math.MaxInt, func(_ sport.ID, kept root) { r.rootBytes -= kept.bytes })
		if err != nil {
			panic(err) // of a size below one only
		}
		r.roots = roots
	}
	r.roots.Remove(id)
	kept := root{record: record, expires: r.Now().Add(life), bytes: rootSize(record)}
	r.rootBytes += kept.bytes
	r.roots.Add(id, kept)
	for r.rootBytes > maxRootBytes {
		r.roots.RemoveOldest()
	}
}

// rootSize estimates the memory that a root takes: its place in the
// cache, its fields, and what hangs on them.
func rootSize(record *OrganizationRecord) int {
	const place, fields, each = 256, 400, 16 // each: the header of a string
	if record == nil {
		return place
	}
	n := place + fields + len(record.Name) + len(record.Logo) + len(record.Description)
	for _, ids := range []IDs{record.Additional, record.ParentMasked, record.Owners, record.Reach} {
		n += len(ids) * (each + sport.IDLength)
	}
	for _, r := range record.Cross {
		n += each + len(r)
	}
	return n
}

// decode reads an item into its record.
func decode[T any](key store.Key, item store.Item) (*T, error) {
	record := new(T)
	if err := attributevalue.UnmarshalMap(item, record); err != nil {
		return nil, fmt.Errorf("item %s %s: %w", key.PK, key.SK, err)
	}
	return record, nil
}
