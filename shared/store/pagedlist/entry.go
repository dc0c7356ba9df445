package pagedlist

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"touchline/shared/packed"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/pagedlist/stored"
)

// An entry is an entry of a list during an edit.
type entry struct {
	key   []byte
	facet index.Facet
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
	values := make([][]byte, len(entries))
	for i, e := range entries {
		values[i] = e.value
	}
	return packed.Marshal(&values)
}

// unpackEntries are stored entries.
func (k Schema[T]) unpackEntries(b []byte) ([]entry, error) {
	values, err := stored.Values(b)
	if err != nil {
		return nil, err
	}
	entries := make([]entry, len(values))
	for i, v := range values {
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
	hidden := byte(1)
	if c.facet.Hidden {
		hidden = 2
	}
	b = append(b, hidden)
	b = binary.AppendUvarint(b, uint64(len(c.facet.Of)))
	b = append(b, c.facet.Of...)
	return append(b, c.value...)
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
	facet, value := b[1+size:1+size+int(n)], b[1+size+int(n):] //nolint:gosec // bounded by the length of b
	return Change{entry: entry{key: key, facet: index.Facet{Of: string(facet), Hidden: b[0] == 2}, value: value}}, nil
}

// outcome is what changes did to entries.
type outcome struct {
	put, deleted int
	// moved: entries came or went, or changed their facet.
	moved bool
}

func (o outcome) changed() bool { return o.put+o.deleted > 0 }

// merge applies changes to entries, both in key order. It calls swapped for each
// entry that takes the place of another; nil: no other was there.
func merge(entries []entry, changes []Change, swapped func(old, by *entry)) ([]entry, outcome) {
	var o outcome
	merged := make([]entry, 0, len(entries)+len(changes))
	for _, c := range changes {
		i, found := slices.BinarySearchFunc(entries, c.entry, compareEntries)
		merged = append(merged, entries[:i]...)
		entries = entries[i:]
		switch {
		case found && c.delete:
			swapped(&entries[0], nil)
			entries = entries[1:]
			o.deleted++
			o.moved = true
		case found:
			old := entries[0]
			entries = entries[1:]
			merged = append(merged, c.entry)
			if !bytes.Equal(old.value, c.value) {
				o.put++
				swapped(&old, &c.entry)
			}
			o.moved = o.moved || old.facet != c.facet
		case !c.delete:
			merged = append(merged, c.entry)
			o.put++
			o.moved = true
			swapped(nil, &c.entry)
		}
	}
	return append(merged, entries...), o
}

func sizeOfEntries(entries []entry) int {
	n := 0
	for _, e := range entries {
		n += e.size()
	}
	return n
}

// cut divides entries into pieces of even size. Entries that fit room are one piece.
// Others are as many pieces as there were before, if these can hold them; if not, as
// many as fillPercent of room asks for. No piece exceeds room unless it is one entry.
func cut(entries []entry, room, before int) [][]entry {
	size := sizeOfEntries(entries)
	n := 1
	if size > room {
		fill := room * fillPercent / 100
		n = max((size+fill-1)/fill, 2)
		if before > 1 && before < n && size <= before*room*keepPercent/100 {
			n = before
		}
	}
	var pieces [][]entry
	for done := 0; len(entries) > 0; n = max(n-1, 1) {
		target := (size - done + n - 1) / n
		k, taken := 0, 0
		for k < len(entries) && (k == 0 || taken+entries[k].size() <= room && taken+entries[k].size()/2 <= target) {
			taken += entries[k].size()
			k++
		}
		pieces = append(pieces, entries[:k:k])
		entries = entries[k:]
		done += taken
	}
	return pieces
}

// rowOf describes entries, as chunk num.
func rowOf(num int, sep []byte, entries []entry, ticked bool) index.Row {
	r := index.Row{Num: num, Sep: sep}
	for _, e := range entries {
		r.Counts = r.Counts.Add(e.facet, 1)
		if !ticked {
			continue
		}
		at := index.Prefix(e.key)
		if n := len(r.Ticks); n > 0 && r.Ticks[n-1].At == at {
			r.Ticks[n-1].N++
		} else {
			r.Ticks = append(r.Ticks, index.Tick{At: at, N: 1})
		}
	}
	return r
}
