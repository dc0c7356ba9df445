package reader

import (
	"context"
	"errors"
	"fmt"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// query is a read of a list: a *listRead.
type query interface {
	// step goes on as far as what the snapshot holds allows, and returns the
	// keys it needs next; none once it is done.
	step(ctx context.Context, s *snapshot) ([]store.Key, error)
}

// listRead asks for a part of a list, and after snapshot.read holds it. With
// Limit 0 it counts.
type listRead[T any] struct {
	schema  pagedlist.Schema[T]
	request pagedlist.Request[T]

	Page[T]

	planned *pagedlist.Planned[T]
	done    bool
}

// read reads lists side by side: their stages share round trips, and what was
// fetched before needs none.
func (s *snapshot) read(ctx context.Context, queries ...query) error {
	for {
		var keys []store.Key
		for _, q := range queries {
			more, err := q.step(ctx, s)
			if err != nil {
				return err
			}
			keys = append(keys, more...)
		}
		if len(keys) == 0 {
			return nil
		}
		if err := s.fetch(ctx, keys...); err != nil {
			return err
		}
	}
}

func (l *listRead[T]) step(ctx context.Context, s *snapshot) ([]store.Key, error) {
	if l.done {
		return nil, nil
	}
	if l.planned == nil {
		l.request.Base = records.WholeOf(l.request.List)
		if head := pagedlist.HeadKey(l.request.List); !s.holds(head) {
			return []store.Key{head}, nil
		}
		var err error
		if l.planned, err = pagedlist.Plan(l.schema, s.items, l.request); err != nil {
			return nil, err
		}
	}
	for {
		if keys := l.planned.Keys(); !s.holds(keys...) {
			return keys, nil
		}
		entries, total, err := l.planned.Page(s.items)
		switch {
		case errors.Is(err, pagedlist.ErrMore):
			continue
		case errors.Is(err, pagedlist.ErrStale):
			entries, total, err = l.again(ctx, s)
		}
		if err != nil {
			return nil, err
		}
		l.Entries, l.Total, l.done = entries, total, true
		return nil, nil
	}
}

// again reads a list that was edited meanwhile, past the snapshot and the cache.
func (l *listRead[T]) again(ctx context.Context, s *snapshot) ([]T, int, error) {
	refresh := func(ctx context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
		return s.reader.Items.Refresh(ctx, keys, life)
	}
	entries, total, err := pagedlist.Read(ctx, refresh, l.schema, l.request)
	if err != nil {
		return nil, 0, fmt.Errorf("read again: %w", err)
	}
	return entries, total, nil
}

// headOf is the key with which a read of a list begins.
func headOf[T any](list records.List[T]) store.Key { return pagedlist.HeadKey(string(list)) }
