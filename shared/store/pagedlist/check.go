package pagedlist

import (
	"context"
	"fmt"

	"touchline/shared/store"
)

// Found is how a stored list differs from what it should be.
type Found struct {
	Missing   int      // entries that are not in the table
	Different int      // entries with other content
	Extra     [][]byte // keys of entries that should not be there
	Items     int      // items that are not as an edit writes them, or are missing
}

// None reports whether there is no difference.
func (f Found) None() bool { return f.Items == 0 }

// String is the difference in words.
func (f Found) String() string {
	if f.Missing+f.Different+len(f.Extra) == 0 {
		return fmt.Sprintf("%d items are not what its entries make of it", f.Items)
	}
	return fmt.Sprintf("%d entries missing, %d different, %d too many", f.Missing, f.Different, len(f.Extra))
}

// Check compares what is stored of a list with what its entries make of it: list puts
// all of them. Apply with Fresh and Clean puts a list right that differs. Nothing may
// edit it meanwhile.
func Check[T any](ctx context.Context, table Table, schema Schema[T], list Changes) (Found, error) {
	return check(ctx, table, schema, list, Options{})
}

func check[T any](ctx context.Context, table Table, schema Schema[T], list Changes, options Options) (Found, error) {
	options.Fresh = true
	e := newEditor(schema, list, options)
	if err := e.edit(); err != nil {
		return Found{}, err
	}
	want := map[store.Key]store.Item{}
	for _, w := range append(e.ahead, e.commit...) {
		want[w.Key] = w.Item
	}
	items, err := table.Query(ctx, store.Query{PK: Partition(list.List), Consistent: true})
	if err != nil {
		return Found{}, err
	}
	differ := 0
	for _, item := range items {
		key := store.KeyOf(item)
		if want[key] == nil || !same(item, want[key]) {
			differ++
		}
		delete(want, key)
	}
	if differ += len(want); differ == 0 {
		return Found{}, nil
	}
	found := differences(schema, list, items)
	found.Items = differ
	return found, nil
}

// differences compares entries with those in items, as far as these can be read and
// are of the list.
func differences[T any](schema Schema[T], list Changes, items []store.Item) (found Found) {
	refuse, err := refuseOf(list.List, items)
	at := map[string]Change{}
	for _, item := range items {
		if _, is := refuse[store.KeyOf(item)]; is && err == nil {
			continue
		}
		entries, err := schema.unpackEntries(bytesOf(item, attrEntries))
		if err != nil {
			continue
		}
		for _, e := range entries {
			at[string(e.key)] = Change{entry: e}
		}
	}
	for _, c := range list.All {
		is, ok := at[string(c.key)]
		delete(at, string(c.key))
		switch {
		case !ok:
			found.Missing++
		case !is.Same(c):
			found.Different++
		}
	}
	for key := range at {
		found.Extra = append(found.Extra, []byte(key))
	}
	return found
}
