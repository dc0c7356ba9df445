package pagedlist

import (
	"fmt"
	"slices"

	"touchline/shared/store"
)

// Found is how a stored list differs from what it should be.
type Found struct {
	Missing   int           // entries that are not in the table
	Different int           // entries with other content
	Extra     [][]byte      // keys of entries that should not be there
	Mend      []store.Write // what puts it right, in no order; none: nothing differs
}

// String is the difference in words.
func (f Found) String() string {
	if f.Missing+f.Different+len(f.Extra) == 0 {
		return fmt.Sprintf("%d items are not what its entries make of it", len(f.Mend))
	}
	return fmt.Sprintf("%d entries missing, %d different, %d too many", f.Missing, f.Different, len(f.Extra))
}

// Check compares the stored items of a list with what its entries make of them: list
// puts all of these.
func Check[T any](schema Schema[T], list Changes, stored []store.Item) (Found, error) {
	return check(schema, list, stored, Options{Fresh: true})
}

func check[T any](schema Schema[T], list Changes, stored []store.Item, options Options) (Found, error) {
	e := newEditor(schema, list, options)
	if err := e.edit(); err != nil {
		return Found{}, err
	}
	found := Found{Mend: differing(byKey(stored), e.want)}
	if len(found.Mend) > 0 {
		tally(&found, schema, list, stored)
	}
	return found, nil
}

// differing are the writes that make the items that are there those that are wanted, in
// order of their keys.
func differing(has, want map[store.Key]store.Item) (writes []store.Write) {
	for key, item := range want {
		if has[key] == nil || !same(has[key], item) {
			writes = append(writes, store.Write{Key: key, Item: item})
		}
	}
	for key, item := range has {
		if item != nil && want[key] == nil {
			writes = append(writes, store.Write{Key: key})
		}
	}
	slices.SortFunc(writes, func(a, b store.Write) int { return a.Key.Compare(b.Key) })
	return writes
}

// tally compares entries with those of a stored list, as far as these can be read.
func tally[T any](f *Found, schema Schema[T], list Changes, stored []store.Item) {
	e := newEditor(schema, Changes{List: list.List}, Options{})
	e.got = byKey(stored)
	at := map[string]Change{}
	nodes, _ := e.open() // the difference says what is wrong with an index
	for _, n := range nodes {
		_, _ = e.load(n) // and with a chunk
		for _, entry := range n.entries {
			at[string(entry.key)] = Change{entry: entry}
		}
	}
	for _, c := range list.All {
		is, ok := at[string(c.key)]
		delete(at, string(c.key))
		switch {
		case !ok:
			f.Missing++
		case !is.Same(c):
			f.Different++
		}
	}
	for key := range at {
		f.Extra = append(f.Extra, []byte(key))
	}
}
