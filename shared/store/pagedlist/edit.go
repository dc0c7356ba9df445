package pagedlist

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"slices"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/stored"
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
	// Parts says that the list has parts (Schema.Part), which follow its changes.
	Parts bool
	All   []Change
}

// Options of an Apply.
type Options struct {
	// Fresh says that none of the lists exists, so that nothing is read.
	Fresh bool
	// Anew says that the lists are rewritten, whatever there is of them, whole or
	// damaged: the changes are all of their entries. Readers see each as it was or as
	// it is to be.
	Anew bool
	// Sweep says that an earlier Apply of these changes may have been killed: items
	// that it left, and that no head names, are deleted. That reads the edited
	// lists wholly, as far as they have or had chunks, up to sweepEntries entries.
	// What is left of the others costs its storage and nothing else.
	Sweep bool

	layout layout // zero: defaultLayout
	life   func() uint32
}

// Stats is what an Apply did.
type Stats struct {
	Lists   int // lists that changed
	Put     int // entries that are new, or whose payload changed
	Deleted int // entries
	Written int // items put
	Removed int // items deleted
}

// Apply makes the changes of all lists in parallel, each list given at most once. It
// reads the heads and the parts of indexes and chunks that the changes touch, holds
// them in memory, and writes only what differs: applied twice, it writes nothing the
// second time. After an error, or a kill, each list has changed wholly or not at all,
// and the same Apply completes the rest. It fails with ErrDamaged where a list cannot
// be edited.
func Apply[T any](ctx context.Context, table *store.Table, schema Schema[T], lists []Changes, options Options) (Stats, error) {
	if options.layout == (layout{}) {
		options.layout = defaultLayout()
	}
	if options.life == nil {
		options.life = randomLife
	}
	editors := make([]*editor[T], 0, len(lists))
	for _, l := range lists {
		if len(l.All) > 0 {
			editors = append(editors, newEditor(schema, l, options))
		}
	}
	if err := run(ctx, table, editors, options); err != nil {
		return Stats{}, err
	}
	parts, gone, err := partEditors(ctx, table, editors, options)
	if err != nil {
		return Stats{}, err
	}
	stats, err := write(ctx, table, editors, parts, gone)
	if err == nil && options.Sweep {
		err = sweepAfter(ctx, table, editors)
	}
	return stats, err
}

// run computes the writes of editors, side by side.
func run[T any](ctx context.Context, table *store.Table, editors []*editor[T], options Options) error {
	if options.Anew {
		for _, e := range editors {
			if err := e.supersede(ctx, table); err != nil {
				return err
			}
		}
	}
	for {
		var keys []store.Key
		for _, e := range editors {
			wants, err := e.next()
			if err != nil {
				return fmt.Errorf("%s list %s: %w", e.schema.Name, e.list, err)
			}
			keys = append(keys, wants...)
		}
		if len(keys) == 0 {
			return nil
		}
		items, err := table.BatchGet(ctx, keys, true)
		if err != nil {
			return err
		}
		for _, e := range editors {
			e.take(items)
		}
	}
}

// write makes the writes of the editors: new items, then heads, tails and payloads
// that change in place, then the deletion of items that no head names any more.
// Parts are changed before their lists, and so come the deletions of the heads of
// parts that are gone.
func write[T any](ctx context.Context, table *store.Table, editors, parts []*editor[T], gone []store.Write) (Stats, error) {
	var stats Stats
	var first, commit, last []store.Write
	var commitParts []store.Write
	for _, w := range gone {
		if w.Key.SK == stored.HeadSK {
			commitParts = append(commitParts, w)
		} else {
			last = append(last, w)
		}
	}
	for i, e := range slices.Concat(parts, editors) {
		first = append(first, e.first...)
		if i < len(parts) {
			commitParts = append(commitParts, e.commit...)
		} else {
			commit = append(commit, e.commit...)
		}
		last = append(last, e.last...)
		if len(e.first)+len(e.commit)+len(e.last) > 0 {
			stats.Lists++
		}
		stats.Put += e.put
		stats.Deleted += e.deleted
	}
	for _, writes := range [][]store.Write{first, commitParts, commit, last} {
		if err := table.Write(ctx, writes); err != nil {
			return Stats{}, err
		}
		for _, w := range writes {
			if w.Item == nil {
				stats.Removed++
			} else {
				stats.Written++
			}
		}
	}
	return stats, nil
}

func randomLife() uint32 {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return binary.BigEndian.Uint32(b[:])
}
