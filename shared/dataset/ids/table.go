// Package ids holds the ids that a dataset mentions: each once, numbered, with
// the key that the operator calls it by. All that is kept of a dataset names ids
// by their numbers, so that the memory of a set follows the number of records and
// not of references.
package ids

import (
	"encoding/hex"

	"touchline/shared/sport"
)

// Packed is an id as its 12 bytes: half the size of the text and free of
// pointers.
type Packed [sport.IDLength / 2]byte

// Pack packs an id. A text that is not an id gives the zero value.
func Pack(id sport.ID) (b Packed) {
	if len(id) == sport.IDLength {
		_, _ = hex.Decode(b[:], []byte(id))
	}
	return b
}

// ID returns the id as text.
func (b Packed) ID() sport.ID { return sport.ID(hex.EncodeToString(b[:])) }

// Lines are the lines of a file on which ids are first.
type Lines map[Packed]int32

// Claim notes the line of an id, unless it is on another already, which it gives;
// else 0.
func (l Lines) Claim(id sport.ID, line int) (taken int) {
	if taken = l.At(id); taken == 0 {
		l[Pack(id)] = int32(line) //nolint:gosec // lines are counted in millions
	}
	return taken
}

// At is the line of an id; 0: none.
func (l Lines) At(id sport.ID) int { return int(l[Pack(id)]) }

// Table numbers ids from 0 in the order in which they are added.
type Table struct {
	numbers map[Packed]int32
	ids     []Packed // by number
	keys    Texts    // empty: never given as anything but the id
}

// NewTable returns an empty table.
func NewTable() *Table { return &Table{numbers: map[Packed]int32{}} }

// Add returns the id of a key or an id.
func (n *Table) Add(kind sport.Kind, given []byte) sport.ID {
	id := sport.IDFor(kind, string(given))
	packed := Pack(id)
	number, known := n.Number(packed)
	if !known {
		number = len(n.ids)
		n.numbers[packed] = int32(number) //nolint:gosec // two billion ids do not fit in memory
		n.ids = append(n.ids, packed)
		n.keys.Append(nil)
	}
	if string(id) != string(given) && len(n.keys.At(number)) == 0 {
		n.keys.Fill(number, given)
	}
	return id
}

// Given returns what a dataset calls a record: the key, if it was ever used, else
// the id.
func (n *Table) Given(id sport.ID) string {
	if i, ok := n.numbers[Pack(id)]; ok && len(n.keys.At(int(i))) > 0 {
		return string(n.keys.At(int(i)))
	}
	return string(id)
}

// Number returns the number of an id; false if it was not added.
func (n *Table) Number(id Packed) (int, bool) {
	number, known := n.numbers[id]
	return int(number), known
}

// ID is the id with a number.
func (n *Table) ID(number int) sport.ID { return n.ids[number].ID() }

// Len counts the ids.
func (n *Table) Len() int { return len(n.ids) }
