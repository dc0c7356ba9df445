package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// snapshot is what one request has read so far. It is not safe for concurrent
// use.
type snapshot struct {
	reader *Reader
	items  map[store.Key]store.Item // nil: read, and there isn't one
}

// open begins a request's reading.
func (r *Reader) open() *snapshot {
	return &snapshot{reader: r, items: map[store.Key]store.Item{}}
}

// fetch reads the items at keys that this snapshot does not hold yet, all in
// one round trip.
func (s *snapshot) fetch(ctx context.Context, keys ...store.Key) error {
	var missing []store.Key
	for _, k := range keys {
		if _, held := s.items[k]; !held && !slices.Contains(missing, k) {
			missing = append(missing, k)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return s.hold(ctx, missing, s.reader.Items.Get)
}

// refresh reads the items at keys again, past the cache.
func (s *snapshot) refresh(ctx context.Context, keys ...store.Key) error {
	return s.hold(ctx, keys, s.reader.Items.Refresh)
}

// hold reads items with get and holds them.
func (s *snapshot) hold(ctx context.Context, keys []store.Key, get getter) error {
	items, err := s.reader.whole(ctx, keys, get)
	if err != nil {
		return err
	}
	for _, k := range keys {
		s.items[k] = items[k]
	}
	return nil
}

// getter is a method of Items.
type getter func(context.Context, []store.Key, store.TTL) (map[store.Key]store.Item, error)

// holds reports whether every one of keys was read, also where there is no item.
func (s *snapshot) holds(keys ...store.Key) bool {
	for _, k := range keys {
		if _, held := s.items[k]; !held {
			return false
		}
	}
	return true
}

// record decodes an item that was fetched; nil if there isn't one. It fails
// where it was not fetched: that must not look like one that does not exist.
func record[T any](s *snapshot, key store.Key) (*T, error) {
	item, held := s.items[key]
	if !held {
		return nil, fmt.Errorf("item %s %s was not fetched", key.PK, key.SK)
	}
	if item == nil {
		return nil, nil
	}
	r := new(T)
	if err := attributevalue.UnmarshalMap(item, r); err != nil {
		return nil, fmt.Errorf("item %s %s: %w", key.PK, key.SK, err)
	}
	return r, nil
}

// whole reads items with get, and the pieces of those that are stored in pieces. A
// record that is written meanwhile is read again, past the cache.
func (r *Reader) whole(ctx context.Context, keys []store.Key, get getter) (map[store.Key]store.Item, error) {
	const tries = 3
	for try := 1; ; try++ {
		read := func(ctx context.Context, keys []store.Key) (map[store.Key]store.Item, error) {
			return get(ctx, keys, life)
		}
		items, err := read(ctx, keys)
		if err == nil {
			items, err = records.Whole(ctx, items, read)
		}
		if !errors.Is(err, records.ErrPieceMissing) || try == tries {
			return items, err
		}
		get = r.Items.Refresh
	}
}

// Page is a page of a list.
type Page[T any] struct {
	Entries []T
	Total   int // entries of the whole list
}

// scoped is a record that knows which keys see it.
type scoped[T any] interface {
	*T
	Contains(organization sport.ID, descendants bool) bool
}

// find returns the record at key, which the snapshot has fetched. It fails with
// notFound, about the path's id, where the viewer sees none.
func find[T any, P scoped[T]](s *snapshot, v sport.Viewer, key store.Key) (*T, error) {
	r, err := record[T](s, key)
	if err != nil {
		return nil, err
	}
	if r == nil || !P(r).Contains(v.Organization, v.Descendants) {
		return nil, problem.Missed(problem.MissingID)
	}
	return r, nil
}

// open fetches the record at the key of id together with those at extra, and
// returns it as find does.
func open[T any, P scoped[T]](ctx context.Context, r *Reader, v sport.Viewer, id string, key func(sport.ID) store.Key, extra ...store.Key) (*snapshot, *T, error) {
	of, err := parseID(id)
	if err != nil {
		return nil, nil, err
	}
	s, at := r.open(), key(of)
	if err := s.fetch(ctx, append(extra, at)...); err != nil {
		return nil, nil, err
	}
	found, err := find[T, P](s, v, at)
	return s, found, err
}

// parseID fails with notFound where id does not have the form of one (D13).
func parseID(id string) (sport.ID, error) {
	if !sport.IsID(id) {
		return "", problem.Missed(problem.MissingID)
	}
	return sport.ID(id), nil
}

// numbersOf is what a season of a team or a player adds up to, 0 being the season
// of the team entry itself (D39); nil: nothing.
func numbersOf[S any](seasons *records.SeasonsRecord[S], season int) (*records.Seen[S], error) {
	if seasons == nil {
		return nil, nil
	}
	return seasons.Season(season)
}

// slice is the part of entries that a page shows.
func slice[T any](entries []T, offset, limit int) []T {
	from := min(offset, len(entries))
	return entries[from:min(from+limit, len(entries))]
}
