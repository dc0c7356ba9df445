package pagedlist

import (
	"cmp"
	"errors"
)

// ErrStale is the error of a read that met an edit, or a head that was cached
// for too long: the heads must be read again, past the cache.
var ErrStale = errors.New("list changed while it was read")

// ErrMore says that a plan needs more items: Planned.Keys names them.
var ErrMore = errors.New("list needs further items")

// ErrDamaged is the error where items of a list contradict each other, which no
// order of edits and failures brings about.
var ErrDamaged = errors.New("list is damaged")

// Facet is what filters select entries by. The index counts entries by facet,
// so that totals and places are known without reading them.
type Facet struct {
	Season int
	Gender string
	Status string
	Ends   int64 // Unix seconds, 0: none
	Hidden bool  // seen by readers with Request.WithHidden only
}

func compareFacets(a, b Facet) int {
	return cmp.Or(
		cmp.Compare(a.Season, b.Season),
		cmp.Compare(a.Gender, b.Gender),
		cmp.Compare(a.Status, b.Status),
		compareBools(a.Hidden, b.Hidden),
		cmp.Compare(a.Ends, b.Ends),
	)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Kind describes the entries of a list. T is marshalled by attributevalue.
type Kind[T any] struct {
	Name string // for errors
	// Key is the entry's place: keys order as bytes do, are not empty, and no
	// two entries of a list share one. It depends on the payload alone. Reads
	// without From and To do without it.
	Key func(T) []byte
	// Facet is what filters select by, nil where there are none. It depends on
	// the payload alone; lists whose kind comes to answer otherwise must be
	// filled anew.
	Facet func(T) Facet
	// Ranged says that the first eight bytes of a key are what From and To
	// select by, such as a time. The index then counts entries by them, and
	// a range costs no more than a page without one. Bounds of more than eight
	// bytes do without.
	Ranged bool
}

func (k Kind[T]) facet(t T) Facet {
	if k.Facet == nil {
		return Facet{}
	}
	return k.Facet(t)
}

// Request asks for a part of a list. What it selects is counted and paged
// through: the total, Offset and Limit are of the entries that match Match, From
// and To, and Where.
type Request[T any] struct {
	List    string
	Reverse bool // from the last entry to the first; Offset counts from the last
	// Match selects by facet; nil: all.
	Match func(Facet) bool
	// From and To bound keys: From is the first that belongs, To the first
	// that no longer does; nil is open.
	From, To []byte
	// Where is a filter that the index knows nothing of; nil: none. All that
	// the rest selects is read for it.
	Where func(T) bool
	// Offset entries are left out, Limit at most are answered, none where
	// Limit is 0: then only the total is wanted.
	Offset, Limit int
	// WithHidden includes hidden entries. Else they are not there.
	WithHidden bool
}

func (r Request[T]) visible(f Facet) bool {
	return (r.WithHidden || !f.Hidden) && (r.Match == nil || r.Match(f))
}
