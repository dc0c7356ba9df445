package list

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// An entry is one as an edit sees it.
type entry struct {
	key   []byte
	facet Facet
	value types.AttributeValue
	size  int // in a list attribute
}

// elementOverhead is what an element of a list attribute takes beside its value.
const elementOverhead = 1

func (k Kind[T]) entry(t T) (entry, error) {
	v, err := attributevalue.Marshal(t)
	if err != nil {
		return entry{}, err
	}
	return entry{key: k.Key(t), facet: k.facet(t), value: v, size: elementOverhead + store.ValueSize(v)}, nil
}

// stored is the entry of a value that a list holds. Its value is the payload
// marshalled again, so that it compares with a new one.
func (k Kind[T]) stored(v types.AttributeValue) (entry, error) {
	var t T
	if err := attributevalue.Unmarshal(v, &t); err != nil {
		return entry{}, err
	}
	return k.entry(t)
}

func (k Kind[T]) storedAll(values []types.AttributeValue) ([]entry, error) {
	entries := make([]entry, len(values))
	for i, v := range values {
		var err error
		if entries[i], err = k.stored(v); err != nil {
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
func (k Kind[T]) changes(ops []Op[T]) ([]change, error) {
	changes := make([]change, 0, len(ops))
	for _, op := range ops {
		c := change{entry: entry{key: op.Key}, delete: op.Put == nil}
		if op.Put != nil {
			e, err := k.entry(*op.Put)
			if err != nil {
				return nil, err
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
			if !reflect.DeepEqual(old.value, c.value) {
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
		n += e.size
	}
	return n
}

func valuesOf(entries []entry) []types.AttributeValue {
	values := make([]types.AttributeValue, len(entries))
	for i, e := range entries {
		values[i] = e.value
	}
	return values
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
		for k < len(entries) && (k == 0 || taken+entries[k].size <= room && taken+entries[k].size/2 <= target) {
			taken += entries[k].size
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
