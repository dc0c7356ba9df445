// Package ids holds the ids that a dataset mentions: each once, numbered, with
// the key that the operator calls it by. All that refers to a record shares its
// strings, so that the memory of a set follows the number of records and not of
// references. An id is half as long packed, as the key of a map.
package ids

import (
	"encoding/hex"
	"hash/maphash"

	"touchline/shared/sport"
)

// Packed is an id as its 12 bytes: half the size of the text and free of
// pointers, for the large maps.
type Packed [sport.IDLength / 2]byte

// Pack packs an id. It returns the zero value for one that does not have 24
// characters.
func Pack(id sport.ID) (b Packed) {
	if len(id) != sport.IDLength {
		return b
	}
	for i := range b {
		b[i] = nibble(id[2*i])<<4 | nibble(id[2*i+1])
	}
	return b
}

// nibble is the value of a hex digit: letters have bit 6 set and count from 1 in
// their low bits.
func nibble(c byte) byte { return c&15 + 9*(c>>6) }

// ID returns the id as text.
func (b Packed) ID() sport.ID { return sport.ID(hex.EncodeToString(b[:])) }

// Table numbers ids from 0 in the order in which they are added.
type Table struct {
	numbers map[Packed]uint32
	ids     []sport.ID
	keys    []string // empty: never given as anything but the id

	seed   maphash.Seed
	recent []recent // by hash of the key: saves most of the SHA-256; nil in a small dataset
}

// recent is a key that was added lately.
type recent struct {
	kind   sport.Kind
	number uint32
}

// recentKeys is the size of Table.recent: 1.5 MB, for the players of some
// thousand teams. A dataset with fewer than manyIDs does without.
const (
	recentKeys = 1 << 16
	manyIDs    = 1 << 10
)

// NewTable returns an empty table.
func NewTable() *Table {
	return &Table{numbers: map[Packed]uint32{}, seed: maphash.MakeSeed()}
}

// Add returns the id of a key or an id, and the text as given, both as shared
// strings.
func (n *Table) Add(kind sport.Kind, given []byte) (sport.ID, string) {
	if n.recent == nil {
		if len(n.ids) < manyIDs {
			return n.enter(kind, given).text(n)
		}
		n.recent = make([]recent, recentKeys)
	}
	slot := &n.recent[maphash.Bytes(n.seed, given)%recentKeys]
	if i := slot.number; slot.kind == kind && n.keys[i] == string(given) {
		return n.ids[i], n.keys[i]
	}
	e := n.enter(kind, given)
	if e.byKey {
		*slot = recent{kind: kind, number: e.number}
	}
	return e.text(n)
}

// entry is the number of an id and whether it was given as a key.
type entry struct {
	number uint32
	byKey  bool
}

func (e entry) text(n *Table) (sport.ID, string) {
	id := n.ids[e.number]
	if e.byKey {
		return id, n.keys[e.number]
	}
	return id, string(id)
}

// enter finds or makes the entry of a key or an id.
func (n *Table) enter(kind sport.Kind, given []byte) entry {
	id := sport.IDFor(kind, string(given))
	e := entry{byKey: string(id) != string(given)}
	var known bool
	if e.number, known = n.numbers[Pack(id)]; !known {
		e.number = uint32(len(n.ids)) //nolint:gosec // four billion ids do not fit in memory
		n.numbers[Pack(id)] = e.number
		n.ids, n.keys = append(n.ids, id), append(n.keys, "")
	}
	if e.byKey && n.keys[e.number] == "" {
		n.keys[e.number] = string(given)
	}
	return e
}

// Given returns what a dataset calls a record: the key, if it was ever used, else
// the id.
func (n *Table) Given(id sport.ID) string {
	if i, ok := n.numbers[Pack(id)]; ok && n.keys[i] != "" {
		return n.keys[i]
	}
	return string(id)
}

// Number returns the number of an id; false if it was not added.
func (n *Table) Number(id sport.ID) (uint32, bool) {
	number, known := n.numbers[Pack(id)]
	return number, known
}

// ID returns the id of a number; false if there isn't one.
func (n *Table) ID(number uint64) (sport.ID, bool) {
	if number >= uint64(len(n.ids)) {
		return "", false
	}
	return n.ids[number], true
}

// Len counts the ids.
func (n *Table) Len() int { return len(n.ids) }

// Release frees what only Add needs. Add still works, and is slower.
func (n *Table) Release() { n.recent = nil }
