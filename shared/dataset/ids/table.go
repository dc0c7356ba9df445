// Package ids holds the ids that a dataset mentions: each once, numbered, with
// the key that the operator calls it by. All that is kept of a dataset names ids
// by their numbers, so that the memory of a set follows the number of records and
// not of references. An [Index] says which records a dataset has: the line of each, and
// what became of it.
package ids

import (
	"hash/maphash"

	"touchline/shared/dataset/blocks"
	"touchline/shared/sport"
)

// Table numbers ids from 0 in the order in which they are added.
type Table struct {
	numbers Numbers
	keys    blocks.Texts // empty: never given as anything but the id

	seed   maphash.Seed
	recent []recent // by hash of the key: saves most of the SHA-256; nil in a small dataset
}

// recent is a key that was added lately.
type recent struct {
	kind   sport.Kind
	number int
}

// recentKeys is the size of Table.recent: 1.5 MB, for the players of some
// thousand teams. A dataset with fewer than manyIDs does without.
const (
	recentKeys = 1 << 16
	manyIDs    = 1 << 10
)

// NewTable returns an empty table.
func NewTable() *Table { return &Table{seed: maphash.MakeSeed()} }

// Add returns the id of a key or an id.
func (n *Table) Add(kind sport.Kind, given []byte) sport.ID {
	if n.recent == nil {
		if n.numbers.Len() < manyIDs {
			id, _, _ := n.enter(kind, given)
			return id
		}
		n.recent = make([]recent, recentKeys)
	}
	slot := &n.recent[maphash.Bytes(n.seed, given)%recentKeys]
	if i := slot.number; slot.kind == kind && string(n.keys.At(i)) == string(given) {
		return n.numbers.At(i).ID()
	}
	id, number, byKey := n.enter(kind, given)
	if byKey {
		*slot = recent{kind: kind, number: number}
	}
	return id
}

// enter finds or makes the entry of a key or an id.
func (n *Table) enter(kind sport.Kind, given []byte) (id sport.ID, number int, byKey bool) {
	id = sport.IDFor(kind, string(given))
	byKey = string(id) != string(given)
	number, added := n.numbers.Add(Pack(id))
	if added {
		n.keys.Append(nil)
	}
	if byKey && len(n.keys.At(number)) == 0 {
		n.keys.Fill(number, given)
	}
	return id, number, byKey
}

// Given returns what a dataset calls a record: the key, if it was ever used, else
// the id.
func (n *Table) Given(id sport.ID) string {
	if i, ok := n.numbers.Find(Pack(id)); ok && len(n.keys.At(i)) > 0 {
		return string(n.keys.At(i))
	}
	return string(id)
}

// Number returns the number of an id; false if it was not added.
func (n *Table) Number(id Packed) (int, bool) { return n.numbers.Find(id) }

// ID is the id with a number.
func (n *Table) ID(number int) sport.ID { return n.numbers.At(number).ID() }

// Len counts the ids.
func (n *Table) Len() int { return n.numbers.Len() }

// Release frees what only Add needs. Add still works, and is slower.
func (n *Table) Release() { n.recent = nil }
