package pagedlist

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"

	"touchline/shared/store"
)

// Op puts an entry at Key, in place of one that is there, or deletes the one
// that is there where Put is nil. Deleting what is not there and putting what is
// there already change nothing. Key may be nil beside Put. Ops of several lists
// that put the same entry do well to share its pointer: it is marshalled once.
type Op[T any] struct {
	Key []byte
	Put *T
}

// Edit are changes to one list; of several to a key the last one counts.
type Edit[T any] struct {
	List string
	Ops  []Op[T]
}

// Options of an Apply.
type Options struct {
	// Fresh says that none of the lists exists, so that nothing need be read.
	Fresh bool
	// Sweep says that an earlier Apply may have been killed in the midst of these
	// very edits: what it left that no head names is deleted. That reads what
	// lists hold whose entries are in chunks, or were: of sweepEntries entries at
	// most, and of the other lists it leaves what costs nothing but its storage.
	Sweep bool

	layout layout // zero: defaultLayout
	life   func() uint32
}

// Stats say what an Apply did.
type Stats struct {
	Lists   int // that changed
	Put     int // entries that are new or have another payload
	Deleted int // entries
	Written int // items put
	Removed int // items deleted
}

// Memo keeps what several Applies of one kind have in common: an entry that
// more than one of them puts is marshalled once. It holds on to these entries.
// The zero value is ready; one goroutine uses it.
type Memo[T any] struct {
	names names
	made  map[*T]entry
}

// Apply makes edits without a Memo.
func Apply[T any](ctx context.Context, table *store.Table, kind Kind[T], edits []Edit[T], options Options) (Stats, error) {
	return new(Memo[T]).Apply(ctx, table, kind, edits, options)
}

// Apply makes the edits, all lists side by side, several edits of a list as if
// they were one. It reads heads and what of indexes and chunks the edits touch,
// holds that in memory, and writes only what comes out otherwise: applied again
// it writes nothing. After an error, or when it was killed, any of the lists
// may have been changed, each wholly or not at all, and the same Apply
// completes the rest. It fails with ErrDamaged where a list cannot be edited.
func (m *Memo[T]) Apply(ctx context.Context, table *store.Table, kind Kind[T], edits []Edit[T], options Options) (Stats, error) {
	if options.layout == (layout{}) {
		options.layout = defaultLayout()
	}
	if options.life == nil {
		options.life = randomLife
	}
	editors, err := m.editors(kind, edits, options)
	if err != nil {
		return Stats{}, err
	}
	for {
		var keys []store.Key
		for _, e := range editors {
			wants, err := e.next()
			if err != nil {
				return Stats{}, fmt.Errorf("%s list %s: %w", kind.Name, e.list, err)
			}
			keys = append(keys, wants...)
		}
		if len(keys) == 0 {
			break
		}
		items, err := table.BatchGet(ctx, keys, true)
		if err != nil {
			return Stats{}, err
		}
		for _, e := range editors {
			e.take(items)
		}
	}
	stats, err := write(ctx, table, editors)
	if err == nil && options.Sweep {
		err = sweepAfter(ctx, table, editors)
	}
	return stats, err
}

// write makes what the editors came to: new items, then heads and tails, then
// what no head names any more.
func write[T any](ctx context.Context, table *store.Table, editors []*editor[T]) (Stats, error) {
	var stats Stats
	var first, commit, last []store.Write
	for _, e := range editors {
		first = append(first, e.first...)
		commit = append(commit, e.commit...)
		last = append(last, e.last...)
		if len(e.first)+len(e.commit)+len(e.last) > 0 {
			stats.Lists++
		}
		stats.Put += e.put
		stats.Deleted += e.deleted
	}
	for _, writes := range [][]store.Write{first, commit, last} {
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

func (m *Memo[T]) editors(kind Kind[T], edits []Edit[T], options Options) ([]*editor[T], error) {
	ops := make(map[string][]Op[T], len(edits))
	var order []string
	for _, edit := range edits {
		if len(edit.Ops) == 0 {
			continue
		}
		before, again := ops[edit.List]
		if !again {
			order = append(order, edit.List)
			ops[edit.List] = edit.Ops
			continue
		}
		ops[edit.List] = append(before[:len(before):len(before)], edit.Ops...)
	}
	editors := make([]*editor[T], 0, len(order))
	if m.made == nil {
		m.made = map[*T]entry{}
	}
	for _, list := range order {
		changes, err := kind.changes(&m.names, m.made, ops[list])
		if err != nil {
			return nil, fmt.Errorf("%s list %s: %w", kind.Name, list, err)
		}
		editors = append(editors, newEditor(kind, list, changes, &m.names, options))
	}
	return editors, nil
}
