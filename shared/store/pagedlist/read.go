package pagedlist

import (
	"context"
	"errors"
	"fmt"
	"math"

	"touchline/shared/store"
)

// Getter reads items; those that are not there are not in the answer. Where
// fresh is set it goes past any cache and sees every write answered before. A
// Table's BatchGet is one, and so is what Cached.Getter answers.
type Getter func(ctx context.Context, keys []store.Key, fresh bool) (map[store.Key]store.Item, error)

// attempts bounds how often a read begins anew because an edit came in between;
// one edit of a list takes much longer than a read.
const attempts = 4

// Read answers a page and the total: both stages, begun anew where an edit came
// in between.
func Read[T any](ctx context.Context, get Getter, kind Kind[T], req Request[T]) (entries []T, total int, err error) {
	for attempt := range attempts {
		fresh := attempt > 0
		entries, total, err = read(ctx, get, fresh, kind, req)
		if !errors.Is(err, ErrStale) {
			return entries, total, err
		}
	}
	return nil, 0, fmt.Errorf("%s list %s: %w", kind.Name, req.List, err)
}

func read[T any](ctx context.Context, get Getter, fresh bool, kind Kind[T], req Request[T]) ([]T, int, error) {
	items, err := get(ctx, HeadKeys(req.List, req.Reverse), fresh)
	if err != nil {
		return nil, 0, err
	}
	p, err := Plan(kind, items, req)
	if err != nil {
		return nil, 0, err
	}
	return Finish(ctx, get, fresh, p)
}

// Finish reads what a plan needs and answers its page; the second stage of a
// read whose heads came with other items. After ErrStale call Read.
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

// All answers every entry that the request selects, hidden ones where it says
// so; Offset and Limit of the request do not count.
func All[T any](ctx context.Context, get Getter, kind Kind[T], req Request[T]) ([]T, error) {
	req.Offset, req.Limit = 0, math.MaxInt
	entries, _, err := Read(ctx, get, kind, req)
	return entries, err
}
