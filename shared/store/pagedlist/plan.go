package pagedlist

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"touchline/shared/store"
)

// Planned is a read under way: the items at Keys are wanted for Page.
type Planned[T any] struct {
	kind Kind[T]
	req  Request[T]
	list *bundle // of a list in its head
	life uint32
	// parts are in the list's order; outside of what they cover nothing is
	// wanted.
	parts []part
	total int // of a read through a window; -1: the parts count it
}

// A part is a chunk or an index page, as far as it is known.
type part struct {
	num  int
	page bool
	need bool
	all  int // entries
	hits int // those whose facet matches
	// lo and hi bound the number of those that are in the range as well; cut
	// says that a bound of the range may lie within.
	lo, hi int
	cut    bool
	// upper is what the keys of a page are below; nil: open. lower as row.sep,
	// nil: open.
	lower, upper []byte
}

// Plan begins a read from the items at HeadKeys; those that are not there are
// not in items. It fails with ErrDamaged only.
func Plan[T any](kind Kind[T], items map[store.Key]store.Item, req Request[T]) (*Planned[T], error) {
	req.Offset, req.Limit = max(req.Offset, 0), max(req.Limit, 0)
	p := &Planned[T]{kind: kind, req: req, total: -1}
	item := items[headKey(req.List)]
	if item == nil {
		return p, nil
	}
	h := parseHead(item)
	p.life = h.life
	var err error
	switch {
	case h.index != nil:
		err = p.cover(h.index, false)
	case h.directory == nil:
		list, err := parseBundle(h.entries)
		if err != nil {
			return nil, p.damaged(err)
		}
		p.list = &list
		return p, nil
	default:
		if err = p.cover(h.directory, true); err == nil {
			err = p.window(h, items[tailKey(req.List)])
		}
	}
	if err != nil {
		return nil, p.damaged(err)
	}
	p.choose()
	return p, nil
}

func (p *Planned[T]) damaged(err error) error {
	return fmt.Errorf("%s list %s: %w: %w", p.kind.Name, p.req.List, ErrDamaged, err)
}

func (p *Planned[T]) open() bool { return p.req.From == nil && p.req.To == nil }

// cover makes the rows of a whole index, or of a directory, the parts.
func (p *Planned[T]) cover(block []byte, pages bool) error {
	s, err := decodeSpan(block, p.req.visible, columns{seps: !p.open(), ticks: !p.open()})
	if err != nil {
		return err
	}
	p.parts = p.partsOf(s, pages, nil, nil)
	return nil
}

// window replaces the directory's parts by those of the window, where it
// answers the request.
func (p *Planned[T]) window(h head, tail store.Item) error {
	if !p.open() || p.req.Where != nil {
		return nil
	}
	block := h.window
	if p.req.Reverse {
		if block = bytesOf(tail, attrWindow); block == nil || sum(block) != h.tailSum {
			return nil // an edit is under way, or was killed: the pages know
		}
	}
	s, err := decodeSpan(block, p.req.visible, columns{})
	if err != nil {
		return err
	}
	total := 0
	for _, page := range p.parts {
		total += page.hits
	}
	if s.matching() >= min(p.end(), total) {
		p.parts = p.partsOf(s, false, nil, nil)
		p.total = total
	}
	return nil
}

// partsOf makes parts of rows that hold the keys from lower to below upper, nil
// being open, and leaves out those beyond the range.
func (p *Planned[T]) partsOf(s span, pages bool, lower, upper []byte) []part {
	parts := make([]part, 0, len(s.nums))
	for i, num := range s.nums {
		e := part{num: num, page: pages, all: s.all[i], hits: s.hits[i], lo: s.hits[i], hi: s.hits[i]}
		if !p.open() && s.seps != nil {
			e.lower, e.upper = s.seps[i], upper
			if i == 0 {
				e.lower = lower
			}
			if i+1 < len(s.seps) {
				e.upper = s.seps[i+1]
			}
			if !p.overlaps(&e) {
				continue
			}
			if e.cut && s.ticks != nil {
				p.narrow(&e, s.ticks[i])
			}
		}
		parts = append(parts, e)
	}
	return parts
}

// overlaps reports whether keys of the part can be in the range, and sets what
// of that is not certain.
func (p *Planned[T]) overlaps(e *part) bool {
	from, to := p.req.From, p.req.To
	if to != nil && e.lower != nil && bytes.Compare(e.lower, to) >= 0 ||
		from != nil && e.upper != nil && bytes.Compare(e.upper, from) <= 0 {
		return false
	}
	e.cut = from != nil && (e.lower == nil || bytes.Compare(e.lower, from) < 0) ||
		to != nil && (e.upper == nil || bytes.Compare(e.upper, to) > 0)
	if e.cut {
		e.lo = 0
	}
	return true
}

// narrow counts the part's entries in the range by their ticks.
func (p *Planned[T]) narrow(e *part, ticks []tick) {
	if len(p.req.From) > 8 || len(p.req.To) > 8 || ticks == nil {
		return
	}
	from, to := prefix(p.req.From), prefix(p.req.To)
	in := 0
	for _, t := range ticks {
		if t.at >= from && (p.req.To == nil || t.at < to) {
			in += t.n
		}
	}
	// Of those in the range at most so many do not match.
	e.lo, e.hi = max(0, in-(e.all-e.hits)), min(in, e.hits)
}

// end is the rank after the last entry that is asked for.
func (p *Planned[T]) end() int {
	if p.req.Limit > math.MaxInt-p.req.Offset {
		return math.MaxInt
	}
	return p.req.Offset + p.req.Limit
}

// reading goes through the parts in the order that the request reads them.
func (p *Planned[T]) reading(yield func(*part) bool) {
	for i := range p.parts {
		if p.req.Reverse {
			i = len(p.parts) - 1 - i
		}
		if !yield(&p.parts[i]) {
			return
		}
	}
}

// choose marks the parts that must be read: those that can hold an entry of the
// page, and those whose entries are not counted yet. The first rank of a part
// is known up to what the parts before it leave open, so that the choice may
// hold more than the page, but needs no second look.
func (p *Planned[T]) choose() {
	lo, hi := 0, 0
	p.reading(func(e *part) bool {
		uncounted := e.lo != e.hi || p.req.Where != nil
		e.need = e.hi > 0 && (uncounted || lo < p.end() && hi+e.hi > p.req.Offset)
		lo, hi = lo+e.lo, hi+e.hi
		return true
	})
}

// Keys are the items that Page needs next; none where it needs none.
func (p *Planned[T]) Keys() []store.Key {
	var pages, chunks []store.Key
	for _, e := range p.parts {
		switch {
		case e.need && e.page:
			pages = append(pages, pageKey(p.req.List, e.num))
		case e.need:
			chunks = append(chunks, chunkKey(p.req.List, e.num))
		}
	}
	if pages != nil {
		return pages
	}
	return chunks
}

// Page answers the entries and the total from the items at Keys. It fails with
// ErrMore where it read index pages, which only a filter that few entries pass
// or a range in a long list need: Keys then names what to call it with next.
// After ErrStale the read begins anew, with heads and chunks past any cache.
func (p *Planned[T]) Page(items map[store.Key]store.Item) (entries []T, total int, err error) {
	if slices.ContainsFunc(p.parts, func(e part) bool { return e.need && e.page }) {
		if err := p.expand(items); err != nil {
			return nil, 0, err
		}
		p.choose()
		if len(p.Keys()) > 0 {
			return nil, 0, ErrMore
		}
	}
	if p.list != nil {
		return p.inline()
	}
	c := collector[T]{Planned: p}
	p.reading(func(e *part) bool {
		if !e.need {
			c.rank += e.lo
			return true
		}
		err = c.chunk(e, items[chunkKey(p.req.List, e.num)])
		return err == nil
	})
	if err != nil {
		return nil, 0, err
	}
	if p.total >= 0 {
		return c.entries, p.total, nil
	}
	return c.entries, c.rank, nil
}

// expand puts the rows of the index pages that were read in their places.
func (p *Planned[T]) expand(items map[store.Key]store.Item) error {
	var parts []part
	for _, e := range p.parts {
		if !e.need || !e.page {
			parts = append(parts, e)
			continue
		}
		item := items[pageKey(p.req.List, e.num)]
		if item == nil || lifeOf(item) != p.life {
			return ErrStale
		}
		s, err := decodeSpan(bytesOf(item, attrIndex), p.req.visible, columns{seps: !p.open(), ticks: !p.open()})
		if err != nil {
			return p.damaged(err)
		}
		parts = append(parts, p.partsOf(s, false, e.lower, e.upper)...)
	}
	p.parts = parts
	return nil
}
