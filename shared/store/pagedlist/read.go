package pagedlist

import (
	"context"
	"errors"
	"fmt"
	"math"

	"touchline/shared/store"
)

// Getter returns the items at keys that exist. Where fresh is set it reads past
// any cache and sees every write that has completed. Table.BatchGet is one, and
// so is the result of Cached.Getter.
type Getter func(ctx context.Context, keys []store.Key, fresh bool) (map[store.Key]store.Item, error)

// attempts is how often a read is tried that edits overtake. One edit takes longer
// than a read, so that even two in a row fail the third attempt at most.
const attempts = 4

// Read returns a page and the total: Plan and Finish, tried again where an edit
// overtook them. It fails with ErrStale after several attempts.
func Read[T any](ctx context.Context, get Getter, schema Schema[T], req Request[T]) (entries []T, total int, err error) {
	for attempt := range attempts {
		fresh := attempt > 0
		entries, total, err = read(ctx, get, fresh, schema, req)
		if !errors.Is(err, ErrStale) {
			return entries, total, err
		}
	}
	return nil, 0, fmt.Errorf("%s list %s: %w", schema.Name, req.List, err)
}

func read[T any](ctx context.Context, get Getter, fresh bool, schema Schema[T], req Request[T]) ([]T, int, error) {
	items, err := get(ctx, []store.Key{HeadKey(req.List)}, fresh)
	if err != nil {
		return nil, 0, err
	}
	p, err := Plan(schema, items, req)
	if err != nil {
		return nil, 0, err
	}
	return Finish(ctx, get, fresh, p)
}

// Finish reads the items that a plan needs and returns its page. It is for reads
// whose head came with other items. After ErrStale call Read.
func Finish[T any](ctx context.Context, get Getter, fresh bool, p *Planned[T]) (entries []T, total int, err error) {
	for {
		var items map[store.Key]store.Item
		if keys := p.Keys(); len(keys) > 0 {
			if items, err = get(ctx, keys, fresh); err != nil {
				return nil, 0, err
			}
		}
		entries, total, err = p.Page(items)
		if !errors.Is(err, ErrMore) {
			return entries, total, err
		}
	}
}

// All returns every entry that the request selects; its Offset and Limit are
// ignored.
func All[T any](ctx context.Context, get Getter, schema Schema[T], req Request[T]) ([]T, error) {
	req.Offset, req.Limit = 0, math.MaxInt
	entries, _, err := Read(ctx, get, schema, req)
	return entries, err
}
