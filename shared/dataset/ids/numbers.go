package ids

import (
	"encoding/hex"
	"hash/maphash"

	"touchline/shared/dataset/blocks"
	"touchline/shared/sport"
)

// Packed is an id as its 12 bytes: half the size of the text and free of
// pointers.
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
func (b Packed) ID() sport.ID {
	var digits [sport.IDLength]byte
	hex.Encode(digits[:], b[:])
	return sport.ID(digits[:])
}

// Numbers numbers ids from 0 in the order in which they are added. It takes about
// 20 bytes an id: a map would take twice as much, and as much again while it
// grows. The zero value is empty.
type Numbers struct {
	ids blocks.List[Packed]
	// The ids by hash: from its place on, the first that is free or has the id.
	// tags are 0 where a place is free, else some bits of the hash, so that few
	// other ids are looked at.
	tags    []uint8
	numbers []uint32
	seed    maphash.Seed
}

// leastPlaces is how many places there are at first; always a power of two.
const leastPlaces = 16

// Add gives the number of an id, and whether it is new.
func (n *Numbers) Add(id Packed) (number int, added bool) {
	if n.ids.Len() >= len(n.tags)/8*7 {
		n.grow()
	}
	place, tag := n.place(id)
	if n.tags[place] != 0 {
		return int(n.numbers[place]), false
	}
	number = n.ids.Len()
	n.tags[place], n.numbers[place] = tag, uint32(number) //nolint:gosec // four billion ids do not fit in memory
	n.ids.Append(id)
	return number, true
}

// Find gives the number of an id; false if it was not added.
func (n *Numbers) Find(id Packed) (number int, known bool) {
	if len(n.tags) == 0 {
		return 0, false
	}
	place, _ := n.place(id)
	return int(n.numbers[place]), n.tags[place] != 0
}

// place finds the place of an id, or the one where it would be.
func (n *Numbers) place(id Packed) (place int, tag uint8) {
	hash := maphash.Bytes(n.seed, id[:])
	tag, place = uint8(hash>>56)|1, int(hash)&(len(n.tags)-1) //nolint:gosec // some bits of it
	for ; n.tags[place] != 0; place = (place + 1) & (len(n.tags) - 1) {
		if n.tags[place] == tag && *n.ids.At(int(n.numbers[place])) == id {
			break
		}
	}
	return place, tag
}

func (n *Numbers) grow() {
	if len(n.tags) == 0 {
		n.seed = maphash.MakeSeed()
	}
	places := max(leastPlaces, 2*len(n.tags))
	n.tags, n.numbers = make([]uint8, places), make([]uint32, places)
	for i := range n.ids.Len() {
		place, tag := n.place(*n.ids.At(i))
		n.tags[place], n.numbers[place] = tag, uint32(i)
	}
}

// At is the id with a number.
func (n *Numbers) At(number int) Packed { return *n.ids.At(number) }

// Len counts the ids.
func (n *Numbers) Len() int { return n.ids.Len() }
