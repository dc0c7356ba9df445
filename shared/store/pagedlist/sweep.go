package pagedlist

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/pagedlist/stored"
)

// sweepsAtOnce bounds the lists that are swept in parallel, each with a query of
// its own: it is the parallelism of a Table's bulk reads.
const sweepsAtOnce = 8

// Sweep deletes the items of lists that no head names: what an Apply wrote, or was
// about to delete, before it was killed. It reads the lists wholly and returns
// how many items it deleted. Nothing may edit the lists meanwhile; readers are
// not affected.
func Sweep(ctx context.Context, table *store.Table, lists ...string) (int, error) {
	var removed atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sweepsAtOnce)
	for _, list := range lists {
		g.Go(func() error {
			n, err := sweep(ctx, table, list)
			removed.Add(int64(n))
			return err
		})
	}
	err := g.Wait()
	return int(removed.Load()), err
}

func sweep(ctx context.Context, table *store.Table, list string) (int, error) {
	items, err := table.Query(ctx, store.Query{PK: stored.Partition(list), Consistent: true})
	if err != nil {
		return 0, err
	}
	at := make(map[store.Key]store.Item, len(items))
	for _, item := range items {
		at[store.KeyOf(item)] = item
	}
	named, err := named(list, at)
	if err != nil {
		return 0, err
	}
	var writes []store.Write
	for k := range at {
		if !named[k] {
			writes = append(writes, store.Write{Key: k})
		}
	}
	if err := table.Write(ctx, writes); err != nil {
		return 0, err
	}
	return len(writes), nil
}

// sweepEntries bounds what the sweep of an Apply reads: some 40 MB, or 10,000 read
// units, at 80 bytes an entry.
const sweepEntries = 500_000

// sweepAfter sweeps the lists of editors, except those that are in their heads
// before and after, of which a killed Apply leaves nothing. Their parts are swept,
// too: an edit that changes nothing any more has no editors of them.
func sweepAfter[T any](ctx context.Context, table *store.Table, editors []*editor[T]) error {
	var lists []string
	entries := 0
	for _, e := range editors {
		if e.chunked && entries+e.entries <= sweepEntries {
			entries += e.entries
			lists = append(append(lists, e.list), e.partLists()...)
		}
	}
	_, err := Sweep(ctx, table, lists...)
	return err
}

// named are the keys of the items that a head names, and its own.
func named(list string, at map[store.Key]store.Item) (map[store.Key]bool, error) {
	item := at[stored.HeadKey(list)]
	if item == nil {
		return nil, nil
	}
	keys := map[store.Key]bool{stored.HeadKey(list): true}
	h := stored.ParseHead(item)
	if h.Index != nil {
		return keys, nameChunks(list, h.Index, keys)
	}
	if h.Directory == nil {
		return keys, nil
	}
	keys[stored.TailKey(list)] = true
	pages, err := index.Decode(h.Directory)
	if err != nil {
		return nil, damaged("head: %v", err)
	}
	for _, p := range pages {
		key := stored.PageKey(list, p.Num)
		keys[key] = true
		if err := nameChunks(list, stored.Index(at[key]), keys); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

func nameChunks(list string, block []byte, keys map[store.Key]bool) error {
	rows, err := index.Decode(block)
	if err != nil {
		return damaged("list %s: %v", list, err)
	}
	for _, r := range rows {
		keys[stored.ChunkKey(list, r.Num)] = true
	}
	return nil
}
