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
	// two entries of a list share one. It depends on the entry alone. Reads
	// without From and To do without it.
	Key func(T) []byte
	// Facet is what filters select by, nil if there aren't any. It depends on
	// the entry alone; where a schema's facets change, its lists must be filled
	// again.
	Facet func(T) Facet
	// Hidden entries are seen by requests with WithHidden only; nil: none are
	// hidden. It depends on the entry alone.
	Hidden func(T) bool
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
	List    string
	Reverse bool // from the last entry to the first; Offset counts from the last
	// Match selects by facet; nil: all.
	Match func(Facet) bool
	// From and To bound keys: From is the first that belongs, To the first
	// that no longer does; nil is open. The chunks at both ends are read to count what is
	// in the range: half a unit each.
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
