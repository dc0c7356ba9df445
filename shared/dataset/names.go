package dataset

import (
	"encoding/hex"
	"hash/maphash"

	"touchline/shared/sport"
)

// binaryID is an id as its 12 bytes: half the size of the text and free of
// pointers, for the large maps.
type binaryID [sport.IDLength / 2]byte

// binaryOf packs an id; one that is not 24 hex digits gives the zero value.
func binaryOf(id sport.ID) (b binaryID) {
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

func (b binaryID) id() sport.ID { return sport.ID(hex.EncodeToString(b[:])) }

// names holds every id that a dataset mentions once, numbered, with the key it
// was given as: the strings are shared by all that refers to a record.
type names struct {
	numbers map[binaryID]uint32
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

// recentKeys is the size of names.recent: 1.5 MB, for the players of some
// thousand teams. A dataset with fewer than manyIDs does without.
const (
	recentKeys = 1 << 16
	manyIDs    = 1 << 10
)

func newNames() *names {
	return &names{numbers: map[binaryID]uint32{}, seed: maphash.MakeSeed()}
}

// add gives the id that a key stands for and the key itself, both shared.
func (n *names) add(kind sport.Kind, given []byte) (sport.ID, string) {
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

// entry is an id's place in names and whether it was given as a key.
type entry struct {
	number uint32
	byKey  bool
}

func (e entry) text(n *names) (sport.ID, string) {
	id := n.ids[e.number]
	if e.byKey {
		return id, n.keys[e.number]
	}
	return id, string(id)
}

// enter finds or makes the entry of a key or an id.
func (n *names) enter(kind sport.Kind, given []byte) entry {
	id := sport.IDFor(kind, string(given))
	e := entry{byKey: string(id) != string(given)}
	var known bool
	if e.number, known = n.numbers[binaryOf(id)]; !known {
		e.number = uint32(len(n.ids)) //nolint:gosec // four billion ids do not fit in memory
		n.numbers[binaryOf(id)] = e.number
		n.ids, n.keys = append(n.ids, id), append(n.keys, "")
	}
	if e.byKey && n.keys[e.number] == "" {
		n.keys[e.number] = string(given)
	}
	return e
}

// given is what a dataset calls a record: the key, where it was ever used, else
// the id.
func (n *names) given(id sport.ID) string {
	if i, ok := n.numbers[binaryOf(id)]; ok && n.keys[i] != "" {
		return n.keys[i]
	}
	return string(id)
}
