package pagedlist

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"touchline/shared/store"
)

// Planned is a read in progress: Page needs the items at Keys.
type Planned[T any] struct {
	schema Schema[T]
	req    Request[T]
	list   [][]byte // packed entries of a list in its head
	// ofBase: the list is a part without a list of its own, and base reads it.
	ofBase bool
	base   *Planned[T] // nil: not planned yet
	// spans are in the list's order. No entry outside of them is selected.
	spans    []span
	selected map[facet]bool // Request.selects, as far as it was asked
}

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

// Plan begins a read from the item at HeadKey; one that is not there is not in
// items. It fails with ErrDamaged only.
func Plan[T any](schema Schema[T], items map[store.Key]store.Item, req Request[T]) (p *Planned[T], err error) {
	req.Offset, req.Limit = max(req.Offset, 0), max(req.Limit, 0)
	p = &Planned[T]{schema: schema, req: req, selected: map[facet]bool{}}
	head := items[HeadKey(req.List)]
	switch {
	case head == nil:
		p.ofBase = req.Base != ""
	case head[attrEntries] != nil:
		p.list, err = values(bytesOf(head, attrEntries))
	case head[attrIndex] != nil:
		p.spans, err = p.spansOf(bytesOf(head, attrIndex), false, nil, nil)
	default:
		p.spans, err = p.spansOf(bytesOf(head, attrDirectory), true, nil, nil)
	}
	if err != nil {
		return nil, p.damaged(err)
	}
	p.choose()
	return p, nil
}

func (p *Planned[T]) damaged(err error) error {
	return fmt.Errorf("%s list %s: %w: %w", p.schema.Name, p.req.List, ErrDamaged, err)
}

// whole reports whether the request has no range.
func (p *Planned[T]) whole() bool { return p.req.From == nil && p.req.To == nil }

// spansOf are the spans of the rows of a block, whose keys are from lower to below
// upper, without those beyond the range of the request.
func (p *Planned[T]) spansOf(block []byte, pages bool, lower, upper []byte) ([]span, error) {
	rows, err := decode(block)
	if err != nil {
		return nil, err
	}
	spans := make([]span, 0, len(rows))
	for i, r := range rows {
		s := span{name: r.name, page: pages, all: r.counts.total(), lower: r.sep, upper: upper}
		for _, of := range r.counts {
			if p.selects(of.facet) {
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
		if !p.whole() && !p.overlaps(&s, r.ticks) {
			continue
		}
		spans = append(spans, s)
	}
	return spans, nil
}

// selects is Request.selects, which it asks once for each facet.
func (p *Planned[T]) selects(f facet) bool {
	selected, asked := p.selected[f]
	if !asked {
		selected = p.req.selects(f)
		p.selected[f] = selected
	}
	return selected
}

// overlaps reports whether keys of the span can be in the range, and sets cut, lo and
// hi accordingly.
func (p *Planned[T]) overlaps(s *span, ticks []tick) bool {
	from, to := p.req.From, p.req.To
	if to != nil && s.lower != nil && bytes.Compare(s.lower, to) >= 0 ||
		from != nil && s.upper != nil && bytes.Compare(s.upper, from) <= 0 {
		return false
	}
	s.cut = from != nil && (s.lower == nil || bytes.Compare(s.lower, from) < 0) ||
		to != nil && (s.upper == nil || bytes.Compare(s.upper, to) > 0)
	if !s.cut {
		return true
	}
	if s.lo = 0; ticks == nil || len(from) > 8 || len(to) > 8 {
		return true
	}
	in := 0
	for _, t := range ticks {
		if t.at >= prefix(from) && (to == nil || t.at < prefix(to)) {
			in += t.n
		}
	}
	// At most all-hits of those in the range do not match.
	s.lo, s.hi = max(0, in-(s.all-s.hits)), min(in, s.hits)
	return true
}

// end is the rank after the last entry of the page.
func (p *Planned[T]) end() int {
	if p.req.Limit > math.MaxInt-p.req.Offset {
		return math.MaxInt
	}
	return p.req.Offset + p.req.Limit
}

// reading yields the spans in the order of the request.
func (p *Planned[T]) reading(yield func(*span) bool) {
	for i := range p.spans {
		if p.req.Reverse {
			i = len(p.spans) - 1 - i
		}
		if !yield(&p.spans[i]) {
			return
		}
	}
}

// choose marks the spans that must be read: those that can hold an entry of the
// page, and those whose entries are not counted. Where spans before are not
// counted, the first rank of a span is known only within bounds. Then more spans
// are chosen than the page needs, in place of another round trip.
func (p *Planned[T]) choose() {
	lo, hi := 0, 0
	for s := range p.reading {
		uncounted := s.lo != s.hi || p.req.Where != nil
		s.need = s.hi > 0 && (uncounted || lo < p.end() && hi+s.hi > p.req.Offset)
		lo, hi = lo+s.lo, hi+s.hi
	}
}

// Keys are the items that Page needs next, if any.
func (p *Planned[T]) Keys() []store.Key {
	switch {
	case p.base != nil:
		return p.base.Keys()
	case p.ofBase:
		return []store.Key{HeadKey(p.req.Base)}
	}
	var pages, chunks []store.Key
	for _, s := range p.spans {
		switch {
		case s.need && s.page:
			pages = append(pages, pageKey(p.req.List, s.name))
		case s.need:
			chunks = append(chunks, chunkKey(p.req.List, s.name))
		}
	}
	if pages != nil {
		return pages
	}
	return chunks
}

// Page returns the entries of the page, and the total, from the items at Keys. It
// fails with ErrMore where these were the head of Base or index pages: Keys then
// returns the chunks to call it with. After ErrStale the read must start again from
// Plan, with all items read past any cache.
func (p *Planned[T]) Page(items map[store.Key]store.Item) (entries []T, total int, err error) {
	if p.ofBase {
		return p.fromBase(items)
	}
	if slices.ContainsFunc(p.spans, func(s span) bool { return s.need && s.page }) {
		if err := p.expand(items); err != nil {
			return nil, 0, err
		}
		p.choose()
		if len(p.Keys()) > 0 {
			return nil, 0, ErrMore
		}
	}
	c := collector[T]{Planned: p}
	if err := c.take(p.list); err != nil {
		return nil, 0, err
	}
	for s := range p.reading {
		if !s.need {
			c.rank += s.lo
			continue
		}
		if err := c.chunk(s, items[chunkKey(p.req.List, s.name)]); err != nil {
			return nil, 0, err
		}
	}
	return c.entries, c.rank, nil
}

// expand replaces index pages that were read by their rows.
func (p *Planned[T]) expand(items map[store.Key]store.Item) error {
	var spans []span
	for _, s := range p.spans {
		if !s.need || !s.page {
			spans = append(spans, s)
			continue
		}
		item := items[pageKey(p.req.List, s.name)]
		if item == nil {
			return ErrStale
		}
		rows, err := p.spansOf(bytesOf(item, attrIndex), false, s.lower, s.upper)
		if err != nil {
			return p.damaged(err)
		}
		spans = append(spans, rows...)
	}
	p.spans = spans
	return nil
}
