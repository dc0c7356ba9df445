package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// snapshot is what one request has read so far. Its first error stays: from then on
// nothing is read and no record is there, so that a method goes through its steps and
// returns the error at its end. It is not safe for concurrent use.
type snapshot struct {
	reader *Reader
	items  map[store.Key]store.Item // nil: read, and there isn't one
	err    error
}

// open begins a request's reading.
func (r *Reader) open() *snapshot {
	return &snapshot{reader: r, items: map[store.Key]store.Item{}}
}

// fail keeps the first error; nil is no error.
func (s *snapshot) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// checkID fails with notFound about what where id does not have the form of one (D13).
func (s *snapshot) checkID(id, what string) {
	if !sport.IsID(id) {
		s.fail(problem.Missed(what))
	}
}

// fetch reads the items at keys that were not read yet, all in one round trip.
func (s *snapshot) fetch(ctx context.Context, keys ...store.Key) {
	var missing []store.Key
	for _, k := range keys {
		if !s.has(k) && !slices.Contains(missing, k) {
			missing = append(missing, k)
		}
	}
	if len(missing) > 0 {
		s.take(ctx, missing, false)
	}
}

// take reads the items at keys, past the cache where fresh is set.
func (s *snapshot) take(ctx context.Context, keys []store.Key, fresh bool) {
	if s.err != nil {
		return
	}
	var items map[store.Key]store.Item
	items, s.err = s.reader.whole(ctx, keys, fresh)
	for _, k := range keys {
		s.items[k] = items[k]
	}
}

// has reports whether the item at key was read, whether it exists or not.
func (s *snapshot) has(key store.Key) bool {
	_, read := s.items[key]
	return read
}

// get is a pagedlist.Getter.
func (r *Reader) get(ctx context.Context, keys []store.Key, fresh bool) (map[store.Key]store.Item, error) {
	if fresh {
		return r.Items.Refresh(ctx, keys, life)
	}
	return r.Items.Get(ctx, keys, life)
}

// whole reads items, and the pieces of those that are stored in pieces. A record that is
// written meanwhile is read again, past the cache.
func (r *Reader) whole(ctx context.Context, keys []store.Key, fresh bool) (map[store.Key]store.Item, error) {
	const tries = 3
	for try := 1; ; try++ {
		items, err := r.get(ctx, keys, fresh)
		if err == nil {
			items, err = records.Whole(ctx, items, func(ctx context.Context, keys []store.Key) (map[store.Key]store.Item, error) {
				return r.get(ctx, keys, fresh)
			})
		}
		if !errors.Is(err, records.ErrPieceMissing) || try == tries {
			return items, err
		}
		fresh = true
	}
}

// record decodes an item that was fetched; nil if there isn't one. It fails where it was
// not fetched: that must not look like one that does not exist.
func record[T any](s *snapshot, key store.Key) *T {
	item := s.items[key]
	switch {
	case s.err != nil:
		return nil
	case !s.has(key):
		s.err = fmt.Errorf("item %s %s was not fetched", key.PK, key.SK)
		return nil
	case item == nil:
		return nil
	}
	var r *T
	if r, s.err = store.Decode[T](item); s.err != nil {
		return nil
	}
	return r
}

// recordOr is record, zero if there isn't one.
func recordOr[T any](s *snapshot, key store.Key) *T {
	if r := record[T](s, key); r != nil {
		return r
	}
	return new(T)
}

// scoped is a record that knows which keys see it.
type scoped[T any] interface {
	*T
	Contains(organization sport.ID, descendants bool) bool
}

// find is the record at key, which was fetched. Where the viewer sees none it is zero,
// and the snapshot fails with notFound about what.
func find[T any, P scoped[T]](s *snapshot, v sport.Viewer, key store.Key, what string) *T {
	r := record[T](s, key)
	if r == nil || !P(r).Contains(v.Organization, v.Descendants) {
		s.fail(problem.Missed(what))
		return new(T)
	}
	return r
}

// open fetches the record at the key of id, the one of the path, together with the items
// at extra, and finds it.
func open[T any, P scoped[T]](ctx context.Context, r *Reader, v sport.Viewer, id string, key func(sport.ID) store.Key, extra ...store.Key) (*snapshot, *T) {
	s, at := r.open(), key(sport.ID(id))
	s.checkID(id, problem.MissingID)
	s.fetch(ctx, append(extra, at)...)
	return s, find[T, P](s, v, at, problem.MissingID)
}

// Page is a page of a list.
type Page[T any] struct {
	Entries []T
	Total   int // entries of the whole list
}

// listed is a read of a list. With Limit 0 it counts.
func listed[T any](list records.List[T], schema pagedlist.Schema[T], request pagedlist.Request[T]) *pagedlist.Reading[T] {
	request.List = string(list)
	return &pagedlist.Reading[T]{Schema: schema, Request: request}
}

// headOf is the key with which a read of a list begins.
func headOf[T any](list records.List[T]) store.Key { return pagedlist.HeadKey(string(list)) }

// query is a read of a list: a *pagedlist.Reading.
type query interface {
	Wants(items map[store.Key]store.Item) ([]store.Key, error)
	Again(ctx context.Context, get pagedlist.Getter) error
}

// read reads lists side by side: their stages share round trips, and what was
// fetched before needs none. A list that was edited meanwhile is read again, past the
// snapshot and the cache.
func (s *snapshot) read(ctx context.Context, queries ...query) {
	for s.err == nil {
		var keys []store.Key
		for _, q := range queries {
			more, err := q.Wants(s.items)
			if errors.Is(err, pagedlist.ErrStale) {
				err = q.Again(ctx, s.reader.get)
			}
			s.fail(err)
			keys = append(keys, more...)
		}
		if len(keys) == 0 {
			return
		}
		s.fetch(ctx, keys...)
	}
}

// pageOf is what was read.
func pageOf[T any](r *pagedlist.Reading[T]) Page[T] {
	return Page[T]{Entries: r.Entries, Total: r.Total}
}

// slice are those of entries that a page shows.
func slice[T any](entries []T, offset, limit int) []T {
	from := min(offset, len(entries))
	return entries[from:min(from+limit, len(entries))]
}
