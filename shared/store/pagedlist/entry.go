package pagedlist

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
)

// An entry is one as an edit sees it.
type entry struct {
	key   []byte
	facet Facet
	value []byte // of a bundle, by the names of the Apply
}

// size is what the entry takes of a bundle.
func (e entry) size() int {
	n := len(e.value)
	for rest := n; ; rest >>= 7 { // its length, as a varint
		if n++; rest < 1<<7 {
			return n
		}
	}
}

func (k Kind[T]) entry(n *names, t T) (entry, error) {
	v, err := attributevalue.Marshal(t)
	if err != nil {
		return entry{}, err
	}
	return entry{key: k.Key(t), facet: k.facet(t), value: n.append(nil, v)}, nil
}

func (k Kind[T]) decode(u bundle, value []byte) (t T, err error) {
	v, err := u.value(value)
	if err == nil {
		err = attributevalue.Unmarshal(v, &t)
	}
	return t, err
}

// stored are the entries of a bundle. Their payloads are marshalled again, so
// that they compare with new ones.
func (k Kind[T]) stored(n *names, b []byte) ([]entry, error) {
	u, err := parseBundle(b)
	if err != nil {
		return nil, err
	}
	entries := make([]entry, len(u.values))
	for i, v := range u.values {
		t, err := k.decode(u, v)
		if err != nil {
			return nil, err
		}
		if entries[i], err = k.entry(n, t); err != nil {
			return nil, err
		}
		if i > 0 && bytes.Compare(entries[i-1].key, entries[i].key) >= 0 {
			return nil, fmt.Errorf("entries out of order at %x", entries[i].key)
		}
	}
	return entries, nil
}

func compareEntries(a, b entry) int { return bytes.Compare(a.key, b.key) }

// A change is an Op marshalled: without a value, a delete.
type change struct {
	entry
	delete bool
}

// changes marshals ops, in key order; of several for a key the last one counts.
// A payload that goes to many lists is marshalled once: made has those that
// were.
func (k Kind[T]) changes(n *names, made map[*T]entry, ops []Op[T]) ([]change, error) {
	changes := make([]change, 0, len(ops))
	for _, op := range ops {
		c := change{entry: entry{key: op.Key}, delete: op.Put == nil}
		if op.Put != nil {
			e, again := made[op.Put]
			if !again {
				var err error
				if e, err = k.entry(n, *op.Put); err != nil {
					return nil, err
				}
				made[op.Put] = e
			}
			if op.Key != nil && !bytes.Equal(op.Key, e.key) {
				return nil, fmt.Errorf("op for key %x puts an entry whose key is %x", op.Key, e.key)
			}
			c.entry = e
		}
		if len(c.key) == 0 {
			return nil, fmt.Errorf("op without a key")
		}
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, func(a, b change) int { return compareEntries(a.entry, b.entry) })
	kept := changes[:0]
	for i, c := range changes {
		if i+1 == len(changes) || !bytes.Equal(c.key, changes[i+1].key) {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// outcome says what changes did to entries.
type outcome struct {
	put, deleted int
	// moved: keys or facets are others than before, or there are more or fewer.
	moved bool
}

func (o outcome) changed() bool { return o.put+o.deleted > 0 }

// merge applies changes to entries, both in key order.
func merge(entries []entry, changes []change) ([]entry, outcome) {
	var o outcome
	merged := make([]entry, 0, len(entries)+len(changes))
	for _, c := range changes {
		i, found := slices.BinarySearchFunc(entries, c.entry, compareEntries)
		merged = append(merged, entries[:i]...)
		entries = entries[i:]
		switch {
		case found && c.delete:
			entries = entries[1:]
			o.deleted++
			o.moved = true
		case found:
			old := entries[0]
			entries = entries[1:]
			merged = append(merged, c.entry)
			if !bytes.Equal(old.value, c.value) {
				o.put++
			}
			o.moved = o.moved || old.facet != c.facet
		case !c.delete:
			merged = append(merged, c.entry)
			o.put++
			o.moved = true
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

// bundled writes entries as a bundle.
func (n *names) bundled(entries []entry) []byte {
	values := make([][]byte, len(entries))
	for i, e := range entries {
		values[i] = e.value
	}
	return n.appendBundle(nil, values)
}

// pack cuts entries into pieces of even size: one where it does not pass room;
// else as many as take a share of fillPercent each, or as many as there were,
// if those suffice. No piece passes room unless it is a single entry.
func pack(entries []entry, room, before int) [][]entry {
	size := sizeOfEntries(entries)
	n := 1
	if size > room {
		fill := room * fillPercent / 100
		n = max((size+fill-1)/fill, 2)
		if before > 1 && before < n && size <= before*room*95/100 {
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

// separator is the shortest beginning of next that is above last.
func separator(last, next []byte) []byte {
	n := 0
	for n < len(last) && n < len(next) && last[n] == next[n] {
		n++
	}
	return next[:min(n+1, len(next))]
}

// rowOf describes entries, as chunk num.
func rowOf(num int, sep []byte, entries []entry, ticked bool) row {
	r := row{num: num, sep: sep}
	for _, e := range entries {
		r.counts = r.counts.add(e.facet, 1)
		if !ticked {
			continue
		}
		at := prefix(e.key)
		if n := len(r.ticks); n > 0 && r.ticks[n-1].at == at {
			r.ticks[n-1].n++
		} else {
			r.ticks = append(r.ticks, tick{at, 1})
		}
	}
	return r
}
