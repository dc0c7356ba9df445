package records

import (
	"context"
	"fmt"
	"slices"

	"touchline/shared/store"
)

// Snapshot is what one request has read so far. It is not safe for concurrent
// use.
type Snapshot struct {
	reader *Reader
	items  map[store.Key]store.Item // nil: read, and there is none
}

// Open begins a request's reading.
func (r *Reader) Open() *Snapshot {
	return &Snapshot{reader: r, items: map[store.Key]store.Item{}}
}

// Fetch reads the items at keys that this snapshot does not hold yet, all in
// one round trip.
func (s *Snapshot) Fetch(ctx context.Context, keys ...store.Key) error {
	var missing []store.Key
	for _, k := range keys {
		if _, held := s.items[k]; !held && !slices.Contains(missing, k) {
			missing = append(missing, k)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	items, err := s.reader.Items.Get(ctx, missing, life)
	if err != nil {
		return err
	}
	for _, k := range missing {
		s.items[k] = items[k]
	}
	return nil
}

// Holds reports whether every one of keys was read, also where there is no item.
func (s *Snapshot) Holds(keys ...store.Key) bool {
	for _, k := range keys {
		if _, held := s.items[k]; !held {
			return false
		}
	}
	return true
}

// Record decodes an item that was fetched; nil where there is none. It fails
// where it was not fetched: that must not look like one that does not exist.
func Record[T any](s *Snapshot, key store.Key) (*T, error) {
	item, held := s.items[key]
	if !held {
		return nil, fmt.Errorf("item %s %s was not fetched", key.PK, key.SK)
	}
	if item == nil {
		return nil, nil
	}
	return decode[T](key, item)
}
