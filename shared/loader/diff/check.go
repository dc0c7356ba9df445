package diff

import (
	"context"
	"errors"
	"fmt"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// Found is how a list in the table differs from what its edits put.
type Found struct {
	Damage    error    // what keeps the list from being read; nil: it is whole
	Missing   int      // entries that are not in the table
	Different int      // entries with other content
	Extra     [][]byte // keys of entries that no edit puts
	Chunked   bool     // the parts of the list have lists
}

// None reports whether there is no difference.
func (f Found) None() bool {
	return f.Damage == nil && f.Missing+f.Different+len(f.Extra) == 0
}

// String is the difference in words.
func (f Found) String() string {
	if f.Damage != nil {
		return f.Damage.Error()
	}
	return fmt.Sprintf("%d entries missing, %d different, %d too many", f.Missing, f.Different, len(f.Extra))
}

// Compare implements inTable.
func (s lists[T]) Compare(ctx context.Context, table *store.Table, list pagedlist.Changes) (Found, error) {
	stored, err := pagedlist.Audit(ctx, table, s.schema, list.List)
	if errors.Is(err, pagedlist.ErrDamaged) {
		return Found{Damage: err}, nil
	}
	if err != nil {
		return Found{}, err
	}
	found := Found{Chunked: stored.Chunked}
	at := make(map[string]pagedlist.Change, len(stored.Entries))
	for _, e := range stored.Entries {
		at[string(e.Key())] = e
	}
	for _, c := range list.All {
		e, ok := at[string(c.Key())]
		delete(at, string(c.Key()))
		switch {
		case !ok:
			found.Missing++
		case !e.Same(c):
			found.Different++
		}
	}
	for key := range at {
		found.Extra = append(found.Extra, []byte(key))
	}
	return found, nil
}
