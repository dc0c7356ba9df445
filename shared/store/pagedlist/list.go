package pagedlist

import "errors"

// ErrStale is the error of a read that an edit overtook: the heads must be read
// again, past any cache.
var ErrStale = errors.New("list changed while it was read")

// ErrDamaged is the error where items of a list contradict each other, which no
// order of edits and failures leads to.
var ErrDamaged = errors.New("list is damaged")

// Schema describes the entries of a list. T is stored by package packed.
type Schema[T any] struct {
	Name string // for errors
	// Key is the entry's place: keys order as bytes do, are not empty, and no
	// two entries of a list share one. It depends on the payload alone. Reads
	// without From and To do without it.
	Key func(T) []byte
	// Facet is what filters select by, nil if there aren't any. It depends on
	// the payload alone; where a schema's facets change, its lists must be filled
	// again.
	Facet func(T) Facet
	// Part says which part of a list the entries of a facet are; nil, or an empty
	// part: none. A part of a list with Parts has a list of its own, PartList, while
	// the list has chunks. Hidden entries are of no part.
	Part func(Facet) string
	// Hidden entries are seen by requests with WithHidden only; nil: none are
	// hidden. It depends on the payload alone.
	Hidden func(T) bool
	// Ranged says that From and To select by the first eight bytes of a key, such
	// as a time. The index then counts entries by these, and a range costs no
	// more than a page without one. A range with longer bounds, or of a schema that
	// is not ranged, reads the chunks at both of its ends to count them: up to
	// 1.5 read units more.
	Ranged bool
}

func (k Schema[T]) facet(t T) facet {
	var f facet
	if k.Facet != nil {
		f.of = string(k.Facet(t))
	}
	f.hidden = k.Hidden != nil && k.Hidden(t)
	return f
}

// Facet is what filters select entries by, in bytes of the caller's own. The
// index counts the entries of a chunk by facet, so that totals and the places of
// pages are known without reading them. The fewer facets, the smaller the index.
type Facet string

// Request asks for a page of a list. What it selects is counted and paged
// through: the total, Offset and Limit are of the entries that match Match, From
// and To, and Where.
type Request[T any] struct {
	List string
	// Base is the list that List is a part of; empty if it is not a part. Where a part has
	// no list of its own, its entries are read from Base, in another round trip.
	Base    string
	Reverse bool // from the last entry to the first; Offset counts from the last
	// Match selects by facet; nil: all.
	Match func(Facet) bool
	// From and To bound keys: From is the first that belongs, To the first
	// that no longer does; nil is open.
	From, To []byte
	// Where is a filter that the index cannot count; nil: none. Everything that
	// the other filters select is read for it.
	Where func(T) bool
	// Offset entries are left out, and at most Limit returned: none where it is 0
	// and only the total is wanted.
	Offset, Limit int
	// WithHidden includes hidden entries.
	WithHidden bool
}

func (r Request[T]) selects(f facet) bool {
	return (r.WithHidden || !f.hidden) && (r.Match == nil || r.Match(Facet(f.of)))
}
