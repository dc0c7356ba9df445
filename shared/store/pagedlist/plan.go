package pagedlist

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/pagedlist/stored"
)

// Planned is a read in progress: Page needs the items at Keys.
type Planned[T any] struct {
	schema Schema[T]
	req    Request[T]
	list   [][]byte // packed entries of a list in its head
	life   uint32
	// part says that the list is a part without a list of its own: base reads it.
	part bool
	base *Planned[T] // nil: not planned yet
	// parts are in the list's order. No entry outside of them is selected.
	parts []part
	total int // of a read through a window; -1: the parts count it
}

// A part is a chunk, or an index page that has not been read.
type part struct {
	num  int
	page bool
	need bool
	all  int // entries
	hits int // those whose facet matches
	// lo and hi bound the number of hits that are in the range; cut says that an
	// end of the range may lie within the part.
	lo, hi int
	cut    bool
	// All keys are below upper and not below lower; nil is open.
	lower, upper []byte
}

// Plan begins a read from the items at HeadKeys; those that are not there are
// not in items. It fails with ErrDamaged only.
func Plan[T any](schema Schema[T], items map[store.Key]store.Item, req Request[T]) (*Planned[T], error) {
	req.Offset, req.Limit = max(req.Offset, 0), max(req.Limit, 0)
	p := &Planned[T]{schema: schema, req: req, total: -1}
	item := items[stored.HeadKey(req.List)]
	if item == nil {
		p.part = req.Base != ""
		return p, nil
	}
	h := stored.ParseHead(item)
	p.life = h.Life
	var err error
	switch {
	case h.Index != nil:
		err = p.cover(h.Index, false)
	case h.Directory == nil:
		if p.list, err = stored.Values(h.Entries); err != nil {
			return nil, p.damaged(err)
		}
		return p, nil
	default:
		if err = p.cover(h.Directory, true); err == nil {
			err = p.window(h, items[stored.TailKey(req.List)])
		}
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

func (p *Planned[T]) open() bool { return p.req.From == nil && p.req.To == nil }

// cover makes the rows of a whole index, or of a directory, the parts.
func (p *Planned[T]) cover(block []byte, pages bool) error {
	s, err := index.DecodeSpan(block, p.req.selects, !p.open())
	if err != nil {
		return err
	}
	p.parts = p.partsOf(s, pages, nil, nil)
	return nil
}

// window replaces the parts of the directory by those of the window, where it
// covers the request.
func (p *Planned[T]) window(h stored.Head, tail store.Item) error {
	if !p.open() || p.req.Where != nil {
		return nil
	}
	block := h.Window
	if p.req.Reverse {
		if block = stored.Window(tail); block == nil || stored.Sum(block) != h.TailSum {
			return nil // an edit is in progress, or was killed: read the pages
		}
	}
	s, err := index.DecodeSpan(block, p.req.selects, false)
	if err != nil {
		return err
	}
	total := 0
	for _, page := range p.parts {
		total += page.hits
	}
	if s.Matching() >= min(p.end(), total) {
		p.parts = p.partsOf(s, false, nil, nil)
		p.total = total
	}
	return nil
}

// partsOf are the parts of rows whose keys are from lower to below upper, without
// those beyond the range of the request.
func (p *Planned[T]) partsOf(s index.Span, pages bool, lower, upper []byte) []part {
	parts := make([]part, 0, len(s.Nums))
	for i, num := range s.Nums {
		e := part{num: num, page: pages, all: s.All[i], hits: s.Hits[i], lo: s.Hits[i], hi: s.Hits[i]}
		if !p.open() && s.Seps != nil {
			e.lower, e.upper = s.Seps[i], upper
			if i == 0 {
				e.lower = lower
			}
			if i+1 < len(s.Seps) {
				e.upper = s.Seps[i+1]
			}
			if !p.overlaps(&e) {
				continue
			}
			if e.cut && s.Ticks != nil {
				p.narrow(&e, s.Ticks[i])
			}
		}
		parts = append(parts, e)
	}
	return parts
}

// overlaps reports whether keys of the part can be in the range, and sets cut and
// lo accordingly.
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

// narrow sets lo and hi by the ticks of the part's entries.
func (p *Planned[T]) narrow(e *part, ticks []index.Tick) {
	if len(p.req.From) > 8 || len(p.req.To) > 8 || ticks == nil {
		return
	}
	from, to := index.Prefix(p.req.From), index.Prefix(p.req.To)
	in := 0
	for _, t := range ticks {
		if t.At >= from && (p.req.To == nil || t.At < to) {
			in += t.N
		}
	}
	// At most all-hits of those in the range do not match.
	e.lo, e.hi = max(0, in-(e.all-e.hits)), min(in, e.hits)
}

// end is the rank after the last entry of the page.
func (p *Planned[T]) end() int {
	if p.req.Limit > math.MaxInt-p.req.Offset {
		return math.MaxInt
	}
	return p.req.Offset + p.req.Limit
}

// reading yields the parts in the order of the request.
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
// page, and those whose entries are not counted. Where parts before are not
// counted, the first rank of a part is known only within bounds. Then more parts
// are chosen than the page needs, in place of another round trip.
func (p *Planned[T]) choose() {
	lo, hi := 0, 0
	p.reading(func(e *part) bool {
		uncounted := e.lo != e.hi || p.req.Where != nil
		e.need = e.hi > 0 && (uncounted || lo < p.end() && hi+e.hi > p.req.Offset)
		lo, hi = lo+e.lo, hi+e.hi
		return true
	})
}

// Keys are the items that Page needs next, if any.
func (p *Planned[T]) Keys() []store.Key {
	switch {
	case p.base != nil:
		return p.base.Keys()
	case p.part:
		return []store.Key{stored.HeadKey(p.req.Base)}
	}
	var pages, chunks []store.Key
	for _, e := range p.parts {
		switch {
		case e.need && e.page:
			pages = append(pages, stored.PageKey(p.req.List, e.num))
		case e.need:
			chunks = append(chunks, stored.ChunkKey(p.req.List, e.num))
		}
	}
	if pages != nil {
		return pages
	}
	return chunks
}

// Page returns the entries of the page, and the total, from the items at Keys. It
// fails with ErrMore where these were the head of Base or index pages: Keys then
// returns the chunks to call it with. Only a range in a long list needs index pages, or
// a filter that few entries pass. After ErrStale the read must start again from Plan,
// with all items read past any cache.
func (p *Planned[T]) Page(items map[store.Key]store.Item) (entries []T, total int, err error) {
	if p.part {
		return p.fromBase(items)
	}
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
		err = c.chunk(e, items[stored.ChunkKey(p.req.List, e.num)])
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

// expand replaces index pages that were read by their rows.
func (p *Planned[T]) expand(items map[store.Key]store.Item) error {
	var parts []part
	for _, e := range p.parts {
		if !e.need || !e.page {
			parts = append(parts, e)
			continue
		}
		item := items[stored.PageKey(p.req.List, e.num)]
		if item == nil || stored.Life(item) != p.life {
			return ErrStale
		}
		s, err := index.DecodeSpan(stored.Index(item), p.req.selects, !p.open())
		if err != nil {
			return p.damaged(err)
		}
		parts = append(parts, p.partsOf(s, false, e.lower, e.upper)...)
	}
	p.parts = parts
	return nil
}
