package reader

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
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

// Page is a part of a list.
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
func numbersOf[S any](seasons *records.SeasonsRecord[S], season int) (*S, error) {
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
