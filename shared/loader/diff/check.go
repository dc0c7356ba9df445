package diff

import (
	"bytes"
	"context"
	"fmt"

	"touchline/shared/store/pagedlist"
)

// Found is how a list in the table differs from what its edits put.
type Found struct {
	Missing   int // entries that are not in the table
	Different int // entries with other content
	Extra     int // entries that no edit puts
	Order     bool
}

// None reports whether there is no difference.
func (f Found) None() bool { return f == Found{} }

// String is the difference in words.
func (f Found) String() string {
	if f.Order {
		return "entries are out of order or doubled"
	}
	return fmt.Sprintf("%d entries missing, %d different, %d too many", f.Missing, f.Different, f.Extra)
}

// Reduce implements Set.
func (s lists[T]) Reduce(ctx context.Context, get pagedlist.Getter, list pagedlist.Changes) (Found, pagedlist.Changes, error) {
	mends := pagedlist.Changes{List: list.List}
	entries, err := pagedlist.All(ctx, get, s.kind, pagedlist.Request[T]{List: list.List, WithHidden: true})
	if err != nil {
		return Found{}, mends, err
	}
	var found Found
	stored := make(map[string]pagedlist.Change, len(entries))
	var last []byte
	for i := range entries {
		e, err := s.kind.Pack(pagedlist.Op[T]{Put: &entries[i]})
		if err != nil {
			return Found{}, mends, err
		}
		found.Order = found.Order || last != nil && bytes.Compare(last, e.Key()) >= 0
		last = e.Key()
		stored[string(e.Key())] = e
	}
	for _, c := range list.All {
		e, ok := stored[string(c.Key())]
		delete(stored, string(c.Key()))
		switch {
		case !ok:
			found.Missing++
		case !e.Same(c):
			found.Different++
		default:
			continue
		}
		mends.All = append(mends.All, c)
	}
	for key := range stored {
		found.Extra++
		mends.All = append(mends.All, pagedlist.Deletion([]byte(key)))
	}
	pagedlist.SortChanges(mends.All)
	return found, mends, nil
}

// Count is the number of entries of a list that the table holds, of whatever
// kind they are.
func (s *Lists) Count(ctx context.Context, get pagedlist.Getter, list string) (int, error) {
	var failed error
	for _, edits := range s.Sets() {
		n, err := edits.count(ctx, get, list)
		if err == nil {
			return n, nil
		}
		failed = err // of another kind, perhaps
	}
	return 0, failed
}

func (s lists[T]) count(ctx context.Context, get pagedlist.Getter, list string) (int, error) {
	entries, err := pagedlist.All(ctx, get, s.kind, pagedlist.Request[T]{List: list, WithHidden: true})
	return len(entries), err
}
