package reader

import (
	"context"
	"errors"
	"fmt"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// query is a read of a list: a *pagedlist.Reading.
type query interface {
	Wants(items map[store.Key]store.Item) ([]store.Key, error)
	Again(ctx context.Context, get pagedlist.Getter) error
}

// listed is a read of a list. With Limit 0 it counts.
func listed[T any](list records.List[T], schema pagedlist.Schema[T], request pagedlist.Request[T]) *pagedlist.Reading[T] {
	request.List = string(list)
	request.Base = records.WholeOf(request.List)
	return &pagedlist.Reading[T]{Schema: schema, Request: request}
}

// pageOf is what was read.
func pageOf[T any](r *pagedlist.Reading[T]) Page[T] {
	return Page[T]{Entries: r.Entries, Total: r.Total}
}

// read reads lists side by side: their stages share round trips, and what was
// fetched before needs none. A list that was edited meanwhile is read again, past the
// snapshot and the cache.
func (s *snapshot) read(ctx context.Context, queries ...query) error {
	past := func(ctx context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
		return s.reader.Items.Refresh(ctx, keys, life)
	}
	for {
		var keys []store.Key
		for _, q := range queries {
			more, err := q.Wants(s.items)
			if errors.Is(err, pagedlist.ErrStale) {
				if err = q.Again(ctx, past); err != nil {
					err = fmt.Errorf("read again: %w", err)
				}
			}
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

// headOf is the key with which a read of a list begins.
func headOf[T any](list records.List[T]) store.Key { return pagedlist.HeadKey(string(list)) }
