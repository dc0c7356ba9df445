package pagedlist

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"touchline/shared/store"
)

// Op puts the entry Put at Key, replacing the one that is there, or deletes the
// one at Key where Put is nil. Deleting an absent entry and putting an identical
// one change nothing. Key may be nil where Put is not.
type Op[T any] struct {
	Key []byte
	Put *T
}

// Change is an Op whose entry is packed, so that it can be kept outside memory
// until it is applied.
type Change struct {
	entry
	delete bool
}

// Changes are those of one list, in order of their keys, no two of one key.
type Changes struct {
	List string
	All  []Change
}

// Table is what lists are kept in: a store.Table.
type Table interface {
	BatchGet(ctx context.Context, keys []store.Key, consistent bool) (map[store.Key]store.Item, error)
	Query(ctx context.Context, q store.Query) ([]store.Item, error)
	Write(ctx context.Context, writes []store.Write) error
}

// Options of an Apply.
type Options struct {
	// Fresh says that the lists have no entries, so that nothing is read. Where an
	// earlier Apply of the same entries was killed, they are written again.
	Fresh bool
	// Again says that an earlier Apply of these changes may have been killed. What it
	// has left is deleted, which takes a query of each list.
	Again bool

	sizes sizes // zero: defaultSizes
}

// Apply makes the changes of all lists in parallel, each list given at most once. It
// reads the heads and the parts of indexes and chunks that the changes touch, holds
// them in memory, and writes only what differs: applied twice, it writes nothing the
// second time. After an error, or a kill, each list has changed wholly or not at all,
// and the same Apply completes the rest. It fails with ErrDamaged where a list cannot
// be edited.
func Apply[T any](ctx context.Context, table Table, schema Schema[T], lists []Changes, options Options) error {
	editors, err := run(ctx, table, schema, lists, options)
	if err != nil {
		return err
	}
	var stages [3][]store.Write // in the order of the Invariants
	for _, e := range editors {
		for i, writes := range e.stages {
			stages[i] = append(stages[i], writes...)
		}
	}
	for _, stage := range stages { // each has ended before the next
		if err := table.Write(ctx, stage); err != nil {
			return err
		}
	}
	return nil
}

// run computes the edits of lists, side by side: those that want items share a read.
func run[T any](ctx context.Context, table Table, schema Schema[T], lists []Changes, options Options) ([]*editor[T], error) {
	var editors []*editor[T]
	for _, l := range lists {
		if len(l.All) > 0 {
			editors = append(editors, newEditor(schema, l, options))
		}
	}
	if options.Again {
		if err := readAll(ctx, table, editors); err != nil {
			return nil, err
		}
	}
	for under := editors; len(under) > 0; {
		var keys []store.Key
		var again []*editor[T]
		for _, e := range under {
			if err := e.edit(); err != nil {
				return nil, fmt.Errorf("%s list %s: %w", schema.Name, e.List, err)
			}
			if len(e.wants) > 0 {
				keys = append(keys, e.wants...)
				again = append(again, e)
			}
		}
		if len(keys) == 0 {
			break
		}
		items, err := table.BatchGet(ctx, keys, true)
		if err != nil {
			return nil, err
		}
		for _, e := range again {
			for _, key := range e.wants {
				e.got[key] = items[key]
			}
		}
		under = again
	}
	return editors, nil
}

// queriesAtOnce is the parallelism of a Table's bulk reads.
const queriesAtOnce = 8

// readAll reads all items of lists, those that no head names among them: an editor deletes
// whatever it has got and the list is not to have.
func readAll[T any](ctx context.Context, table Table, editors []*editor[T]) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(queriesAtOnce)
	for _, e := range editors {
		g.Go(func() error {
			items, err := table.Query(ctx, store.Query{PK: Partition(e.List), Consistent: true})
			e.got = byKey(items)
			if _, there := e.got[HeadKey(e.List)]; !there {
				e.got[HeadKey(e.List)] = nil
			}
			return err
		})
	}
	return g.Wait()
}

func byKey(items []store.Item) map[store.Key]store.Item {
	all := make(map[store.Key]store.Item, len(items))
	for _, item := range items {
		all[store.KeyOf(item)] = item
	}
	return all
}
