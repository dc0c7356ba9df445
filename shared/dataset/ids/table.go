// Package ids holds the ids that a dataset mentions, each with the key that the operator
// calls it by, and places by ids.
package ids

import (
	"cmp"
	"encoding/hex"

	"golang.org/x/text/unicode/norm"

	"touchline/shared/sport"
)

// Packed is an id as its 12 bytes: half the size of the text and free of
// pointers.
type Packed [sport.IDLength / 2]byte

// Of gives the id of what an operator calls key: of its NFC form (D47). The same key gives the
// same id however it was typed.
func Of(kind sport.Kind, key string) sport.ID { return sport.IDFor(kind, norm.NFC.String(key)) }

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
	if taken = int(l[Pack(id)]); taken == 0 {
		l[Pack(id)] = int32(line) //nolint:gosec // lines are counted in millions
	}
	return taken
}

// Table has the keys of ids that were given as anything but the id.
type Table struct{ keys map[Packed]string }

// NewTable returns an empty table.
func NewTable() *Table { return &Table{map[Packed]string{}} }

// Add returns the id of a key or an id.
func (n *Table) Add(kind sport.Kind, given []byte) sport.ID {
	id := sport.IDFor(kind, string(given))
	if string(id) != string(given) {
		if _, known := n.keys[Pack(id)]; !known {
			n.keys[Pack(id)] = string(given)
		}
	}
	return id
}

// Given returns what a dataset calls a record: the key, if it was ever used, else
// the id.
func (n *Table) Given(id sport.ID) string {
	return cmp.Or(n.keys[Pack(id)], string(id))
}
