package pagedlist

import (
	"bytes"
	"context"

	"touchline/shared/packed"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/pagedlist/stored"
)

// Audited is a list as it is stored.
type Audited struct {
	Entries []Change // in order; nil where there is no such list
	Chunked bool     // the list is not in its head, so that its parts have lists
}

// Audit reads all that is stored of a list, and checks each item against the others.
// The error is ErrDamaged where one is missing, is not what an edit would have
// written, or belongs to nothing: then Options.Anew puts the list right. Nothing may
// edit the list meanwhile.
func Audit[T any](ctx context.Context, table *store.Table, schema Schema[T], list string) (Audited, error) {
	items, err := table.Query(ctx, store.Query{PK: stored.Partition(list), Consistent: true})
	if err != nil {
		return Audited{}, err
	}
	a := audit[T]{schema: schema, list: list, items: make(map[store.Key]store.Item, len(items))}
	for _, item := range items {
		a.items[store.KeyOf(item)] = item
	}
	if err := a.read(); err != nil {
		return Audited{}, err
	}
	for key := range a.items {
		return Audited{}, damaged("nothing names item %s", key.SK)
	}
	return a.found, nil
}

// audit is an Audit in progress.
type audit[T any] struct {
	schema Schema[T]
	list   string
	items  map[store.Key]store.Item // that nothing was found to name yet
	head   stored.Head
	found  Audited
	last   []byte // key
}

func (a *audit[T]) read() error {
	item, ok := a.items[stored.HeadKey(a.list)]
	if !ok {
		return nil
	}
	a.head = stored.ParseHead(item)
	switch {
	case a.head.Index != nil:
		rows, err := a.rows(a.head.Index, true)
		if err != nil {
			return err
		}
		a.head.Index = index.Encode(rows, index.Columns{Seps: true, Ticks: a.schema.Ranged})
	case a.head.Directory != nil:
		if err := a.long(); err != nil {
			return err
		}
	default:
		entries, err := a.take(a.head.Entries, nil)
		if err != nil {
			return err
		}
		a.head.Entries = packEntries(entries)
	}
	a.found.Chunked = a.head.Index != nil || a.head.Directory != nil
	return a.holds(stored.HeadKey(a.list), a.head.Item())
}

// long reads a list whose index is in pages.
func (a *audit[T]) long() error {
	pages, err := index.Decode(a.head.Directory)
	if err != nil {
		return damaged("head: %v", err)
	}
	var all []index.Row
	for i, p := range pages {
		key := stored.PageKey(a.list, p.Num)
		item := a.items[key]
		rows, err := a.rows(stored.Index(item), i == 0)
		if err != nil {
			return err
		}
		block := index.Encode(rows, index.Columns{Seps: true, Ticks: a.schema.Ranged})
		if err := a.holds(key, stored.PageItem(a.head.Life, block)); err != nil {
			return err
		}
		pages[i] = index.Row{Num: p.Num, Sep: rows[0].Sep}
		for _, r := range rows {
			pages[i].Counts = pages[i].Counts.AddAll(r.Counts)
		}
		all = append(all, rows...)
		if p.Num >= a.head.NextPage {
			return damaged("index page %d has a number that is still to be given", p.Num)
		}
	}
	a.head.Directory = index.Encode(pages, index.Columns{Seps: true})
	window, err := index.Decode(a.head.Window)
	if err != nil || len(window) == 0 || len(window) > len(all) {
		return damaged("the window is not of this list")
	}
	a.head.Window = index.Encode(all[:len(window)], index.Columns{})
	tail, err := index.Decode(stored.Window(a.items[stored.TailKey(a.list)]))
	if err != nil || len(tail) == 0 || len(tail) > len(all) {
		return damaged("the window of the end is not of this list")
	}
	end := index.Encode(all[len(all)-len(tail):], index.Columns{})
	a.head.TailSum = stored.Sum(end)
	return a.holds(stored.TailKey(a.list), stored.TailItem(end))
}

// rows reads the chunks of an index, or of a page of one, and returns the rows that
// describe them. First says that the list begins with them.
func (a *audit[T]) rows(block []byte, first bool) ([]index.Row, error) {
	rows, err := index.Decode(block)
	if err != nil || len(rows) == 0 {
		return nil, damaged("the index cannot be read: %v", err)
	}
	for i, r := range rows {
		key := stored.ChunkKey(a.list, r.Num)
		entries, err := a.take(stored.Entries(a.items[key]), func(e entry) bool {
			return first && i == 0 || bytes.Compare(a.last, r.Sep) < 0 && bytes.Compare(r.Sep, e.key) <= 0
		})
		if err != nil {
			return nil, err
		}
		if err := a.holds(key, stored.ChunkItem(a.head.Life, packEntries(entries))); err != nil {
			return nil, err
		}
		if r.Num >= a.head.NextChunk {
			return nil, damaged("chunk %d has a number that is still to be given", r.Num)
		}
		rows[i] = rowOf(r.Num, r.Sep, entries, a.schema.Ranged)
	}
	return rows, nil
}

// take takes the next entries. The separator accepts the first one; nil: any.
func (a *audit[T]) take(block []byte, separator func(entry) bool) ([]entry, error) {
	entries, err := a.schema.unpackEntries(block)
	if err != nil || len(entries) == 0 {
		return nil, damaged("entries cannot be read: %v", err)
	}
	if bytes.Compare(a.last, entries[0].key) >= 0 || separator != nil && !separator(entries[0]) {
		return nil, damaged("entries are out of order at %x", entries[0].key)
	}
	for _, e := range entries {
		var t T
		if err := packed.Value(e.value, &t); err != nil {
			return nil, damaged("entries cannot be read: %v", err)
		}
		a.found.Entries = append(a.found.Entries, Change{entry: a.schema.entry(&t)}) // as this version packs it
	}
	a.last = entries[len(entries)-1].key
	return entries, nil
}

// holds checks an item that something names.
func (a *audit[T]) holds(key store.Key, want store.Item) error {
	item, ok := a.items[key]
	if !ok {
		return damaged("item %s is missing", key.SK)
	}
	delete(a.items, key)
	if !stored.Same(item, want) {
		return damaged("item %s is not what the rest of the list makes of it", key.SK)
	}
	return nil
}

// supersede has an editor rewrite the list: with numbers of chunks and pages that
// no stored item has, all of which go once the new head is there.
func (e *editor[T]) supersede(ctx context.Context, table *store.Table) error {
	items, err := table.Query(ctx, store.Query{PK: stored.Partition(e.list), Consistent: true})
	if err != nil {
		return err
	}
	e.got[stored.HeadKey(e.list)] = nil
	var keys []store.Key
	for _, item := range items {
		key := store.KeyOf(item)
		keys = append(keys, key)
		switch key.SK {
		case stored.HeadSK:
		case stored.TailSK:
			e.hadTail = true
		default:
			e.dropped = append(e.dropped, key)
		}
	}
	e.free = stored.Free(keys)
	return nil
}
