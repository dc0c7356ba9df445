package pagedlist

import (
	"bytes"
	"iter"
	"slices"

	"touchline/shared/store"
)

func (p *Planned[T]) inline() ([]T, int, error) {
	c := collector[T]{Planned: p}
	for v := range p.ordered(p.list.values) {
		if _, err := c.entry(*p.list, v); err != nil {
			return nil, 0, err
		}
	}
	return c.entries, c.rank, nil
}

// ordered goes through values in the order of the request.
func (p *Planned[T]) ordered(values [][]byte) iter.Seq[[]byte] {
	if !p.req.Reverse {
		return slices.Values(values)
	}
	return func(yield func([]byte) bool) {
		for _, v := range slices.Backward(values) {
			if !yield(v) {
				return
			}
		}
	}
}

// A collector goes through the entries that are selected, in the order of the
// request, and keeps the page.
type collector[T any] struct {
	*Planned[T]
	rank    int // of the next one
	entries []T
}

func (c *collector[T]) chunk(e *part, item store.Item) error {
	if item == nil || lifeOf(item) != c.life {
		return ErrStale
	}
	u, err := parseBundle(bytesOf(item, attrEntries))
	if err != nil {
		return c.damaged(err)
	}
	if len(u.values) != e.all {
		return ErrStale
	}
	if e.hits == e.all && !e.cut && c.req.Where == nil {
		return c.slice(u)
	}
	matching := 0
	for v := range c.ordered(u.values) {
		matches, err := c.entry(u, v)
		if err != nil {
			return err
		}
		if matches {
			matching++
		}
	}
	if matching != e.hits {
		return ErrStale
	}
	return nil
}

// slice takes a chunk of which every entry is selected, and decodes those that
// are on the page.
func (c *collector[T]) slice(u bundle) error {
	i := c.rank
	for v := range c.ordered(u.values) {
		if i >= c.req.Offset && i < c.end() {
			t, err := c.decode(u, v)
			if err != nil {
				return err
			}
			c.entries = append(c.entries, t)
		}
		i++
	}
	c.rank = i
	return nil
}

// entry takes the next entry, and reports whether its facet matches.
func (c *collector[T]) entry(u bundle, v []byte) (bool, error) {
	t, err := c.decode(u, v)
	if err != nil {
		return false, err
	}
	if !c.req.visible(c.kind.facet(t)) {
		return false, nil
	}
	if !c.inRange(t) || c.req.Where != nil && !c.req.Where(t) {
		return true, nil
	}
	if c.rank >= c.req.Offset && c.rank < c.end() {
		c.entries = append(c.entries, t)
	}
	c.rank++
	return true, nil
}

func (c *collector[T]) inRange(t T) bool {
	if c.open() {
		return true
	}
	key := c.kind.Key(t)
	return (c.req.From == nil || bytes.Compare(key, c.req.From) >= 0) &&
		(c.req.To == nil || bytes.Compare(key, c.req.To) < 0)
}

func (p *Planned[T]) decode(u bundle, entry []byte) (T, error) {
	t, err := p.kind.decode(u, entry)
	if err != nil {
		return t, p.damaged(err)
	}
	return t, nil
}
