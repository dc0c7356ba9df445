package pagedlist

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"touchline/shared/packed"
)

// An entry is an entry of a list during an edit.
type entry struct {
	key   []byte
	facet facet
	value []byte // packed
}

// size is what the entry takes of a chunk.
func (e entry) size() int {
	n := len(e.value)
	for rest := n; ; rest >>= 7 { // its length, as a varint
		if n++; rest < 1<<7 {
			return n
		}
	}
}

func (k Schema[T]) entry(t *T) entry {
	return entry{key: k.Key(*t), facet: k.facet(*t), value: packed.Append(nil, t)}
}

// packEntries writes entries as they are stored: their values, packed, so that
// each can be read without the others.
func packEntries(entries []entry) []byte {
	all := make([][]byte, len(entries))
	for i, e := range entries {
		all[i] = e.value
	}
	return packed.Marshal(&all)
}

// unpackEntries are stored entries.
func (k Schema[T]) unpackEntries(b []byte) ([]entry, error) {
	all, err := values(b)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("no entries")
	}
	entries := make([]entry, len(all))
	for i, v := range all {
		var t T
		if err := packed.Value(v, &t); err != nil {
			return nil, err
		}
		entries[i] = entry{key: k.Key(t), facet: k.facet(t), value: v}
		if i > 0 && bytes.Compare(entries[i-1].key, entries[i].key) >= 0 {
			return nil, fmt.Errorf("entries out of order at %x", entries[i].key)
		}
	}
	return entries, nil
}

func compareEntries(a, b entry) int { return bytes.Compare(a.key, b.key) }

// Changes packs ops of a list, in key order; of several for a key the last one counts.
func (k Schema[T]) Changes(list string, ops []Op[T]) (Changes, error) {
	changes := make([]Change, 0, len(ops))
	for _, op := range ops {
		c, err := k.Pack(op)
		if err != nil {
			return Changes{}, fmt.Errorf("%s list %s: %w", k.Name, list, err)
		}
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return compareEntries(a.entry, b.entry) })
	kept := changes[:0]
	for i, c := range changes {
		if i+1 == len(changes) || !bytes.Equal(c.key, changes[i+1].key) {
			kept = append(kept, c)
		}
	}
	return Changes{List: list, All: kept}, nil
}

// Pack packs an op.
func (k Schema[T]) Pack(op Op[T]) (Change, error) {
	c := Change{entry: entry{key: op.Key}, delete: op.Put == nil}
	if op.Put != nil {
		c.entry = k.entry(op.Put)
		if op.Key != nil && !bytes.Equal(op.Key, c.key) {
			return Change{}, fmt.Errorf("op for key %x puts an entry whose key is %x", op.Key, c.key)
		}
	}
	if len(c.key) == 0 {
		return Change{}, fmt.Errorf("op without a key")
	}
	return c, nil
}

// Key is the place of the entry.
func (c Change) Key() []byte { return c.key }

// Same reports whether two changes of one place have the same outcome.
func (c Change) Same(o Change) bool { return c.delete == o.delete && bytes.Equal(c.value, o.value) }

// Deletion is the change that deletes the entry at a key.
func Deletion(key []byte) Change { return Change{entry: entry{key: key}, delete: true} }

// AppendTo appends the change without its key, for ChangeOf.
func (c Change) AppendTo(b []byte) []byte {
	if c.delete {
		return b
	}
	return append(c.facet.append(b), c.value...)
}

func (f facet) append(b []byte) []byte {
	hidden := byte(1)
	if f.hidden {
		hidden = 2
	}
	b = binary.AppendUvarint(append(b, hidden), uint64(len(f.of)))
	return append(b, f.of...)
}

// ChangeOf is the change at a key that AppendTo has written. It keeps key and b.
func ChangeOf(key, b []byte) (Change, error) {
	if len(b) == 0 {
		return Deletion(key), nil
	}
	n, size := binary.Uvarint(b[1:])
	if size <= 0 || n > uint64(len(b)-1-size) { //nolint:gosec // size is at most the length
		return Change{}, errors.New("a packed change is cut off")
	}
	of, value := b[1+size:1+size+int(n)], b[1+size+int(n):] //nolint:gosec // bounded by the length of b
	return Change{entry: entry{key: key, facet: facet{of: string(of), hidden: b[0] == 2}, value: value}}, nil
}

// merge applies changes to entries, both in key order.
func merge(entries []entry, changes []Change) []entry {
	merged := make([]entry, 0, len(entries)+len(changes))
	for _, c := range changes {
		i, found := slices.BinarySearchFunc(entries, c.entry, compareEntries)
		merged = append(merged, entries[:i]...)
		if entries = entries[i:]; found {
			entries = entries[1:]
		}
		if !c.delete {
			merged = append(merged, c.entry)
		}
	}
	return append(merged, entries...)
}
