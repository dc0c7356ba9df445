package pagedlist

import (
	"bytes"
	"math"

	"touchline/shared/store"
)

// A span is a chunk, or an index page that has not been read.
type span struct {
	name string
	page bool
	need bool
	all  int // entries
	hits int // those whose facet matches
	// lo and hi bound the number of hits that are in the range; cut says that an
	// end of the range may lie within the span.
	lo, hi int
	cut    bool
	// All keys are below upper and not below lower; nil is open.
	lower, upper []byte
}

// whole reports whether the request has no range.
func (r *Reading[T]) whole() bool { return r.Request.From == nil && r.Request.To == nil }

// spansOf are the spans of the rows of a block, whose keys are from lower to below
// upper, without those beyond the range of the request.
func (r *Reading[T]) spansOf(block []byte, pages bool, lower, upper []byte) ([]span, error) {
	rows, err := decode(block)
	if err != nil {
		return nil, err
	}
	spans := make([]span, 0, len(rows))
	for i, row := range rows {
		s := span{name: row.name, page: pages, all: row.counts.total(), lower: row.sep, upper: upper}
		for _, of := range row.counts {
			if r.selects(of.facet) {
				s.hits += of.n
			}
		}
		s.lo, s.hi = s.hits, s.hits
		if i == 0 {
			s.lower = lower
		}
		if i+1 < len(rows) {
			s.upper = rows[i+1].sep
		}
		if !r.whole() && !r.overlaps(&s) {
			continue
		}
		spans = append(spans, s)
	}
	return spans, nil
}

// selects is Request.selects, which it asks once for each facet.
func (r *Reading[T]) selects(f facet) bool {
	selected, asked := r.selected[f]
	if !asked {
		if r.selected == nil {
			r.selected = map[facet]bool{}
		}
		selected = r.Request.selects(f)
		r.selected[f] = selected
	}
	return selected
}

// overlaps reports whether keys of the span can be in the range, and sets cut and lo
// accordingly.
func (r *Reading[T]) overlaps(s *span) bool {
	from, to := r.Request.From, r.Request.To
	if to != nil && s.lower != nil && bytes.Compare(s.lower, to) >= 0 ||
		from != nil && s.upper != nil && bytes.Compare(s.upper, from) <= 0 {
		return false
	}
	s.cut = from != nil && (s.lower == nil || bytes.Compare(s.lower, from) < 0) ||
		to != nil && (s.upper == nil || bytes.Compare(s.upper, to) > 0)
	if s.cut {
		s.lo = 0
	}
	return true
}

// end is the rank after the last entry of the page.
func (r *Reading[T]) end() int {
	if r.Request.Limit > math.MaxInt-r.Request.Offset {
		return math.MaxInt
	}
	return r.Request.Offset + r.Request.Limit
}

// inOrder yields the spans in the order of the request.
func (r *Reading[T]) inOrder(yield func(*span) bool) {
	for i := range r.spans {
		if r.Request.Reverse {
			i = len(r.spans) - 1 - i
		}
		if !yield(&r.spans[i]) {
			return
		}
	}
}

// choose says which spans must be read: those that can hold an entry of the
// page, and those whose entries are not counted. Where spans before are not
// counted, the first rank of a span is known only within bounds. Then more spans
// are chosen than the page needs, in place of another round trip.
func (r *Reading[T]) choose() {
	lo, hi := 0, 0
	for s := range r.inOrder {
		uncounted := s.lo != s.hi || r.Request.Where != nil
		s.need = s.hi > 0 && (uncounted || lo < r.end() && hi+s.hi > r.Request.Offset)
		lo, hi = lo+s.lo, hi+s.hi
	}
}

// wanted are the keys of the spans that must be read; pages says that they are index
// pages, which come before the chunks.
func (r *Reading[T]) wanted() (keys []store.Key, pages bool) {
	for _, s := range r.spans {
		if s.need && s.page && !pages {
			keys, pages = nil, true
		}
		switch {
		case !s.need || s.page != pages:
		case pages:
			keys = append(keys, pageKey(r.Request.List, s.name))
		default:
			keys = append(keys, chunkKey(r.Request.List, s.name))
		}
	}
	return keys, pages
}

// expand replaces index pages that were read by their rows.
func (r *Reading[T]) expand(items map[store.Key]store.Item) error {
	var spans []span
	for _, s := range r.spans {
		if !s.need || !s.page {
			spans = append(spans, s)
			continue
		}
		item := items[pageKey(r.Request.List, s.name)]
		if item == nil {
			return ErrStale
		}
		rows, err := r.spansOf(bytesOf(item, attrIndex), false, s.lower, s.upper)
		if err != nil {
			return r.damaged(err)
		}
		spans = append(spans, rows...)
	}
	r.spans = spans
	return nil
}
