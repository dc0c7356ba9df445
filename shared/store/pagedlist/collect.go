package pagedlist

import (
	"bytes"
	"iter"
	"slices"

	"touchline/shared/packed"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist/stored"
)

func (p *Planned[T]) inline() ([]T, int, error) {
	c := collector[T]{Planned: p}
	for v := range p.ordered(p.list) {
		if _, err := c.entry(v); err != nil {
			return nil, 0, err
		}
	}
	return c.entries, c.rank, nil
}

// ordered yields values in the order of the request.
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

// A collector takes the selected entries, in the order of the request, and keeps
// those on the page.
type collector[T any] struct {
	*Planned[T]
	rank    int // of the next one
	entries []T
}

func (c *collector[T]) chunk(e *part, item store.Item) error {
	if item == nil || stored.Life(item) != c.life {
		return ErrStale
	}
	values, err := stored.Values(stored.Entries(item))
	if err != nil {
		return c.damaged(err)
	}
	if len(values) != e.all {
		return ErrStale
	}
	if e.hits == e.all && !e.cut && c.req.Where == nil {
		return c.slice(values)
	}
	matching := 0
	for v := range c.ordered(values) {
		matches, err := c.entry(v)
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

// slice takes a chunk whose entries are all selected, and decodes those on the
// page.
func (c *collector[T]) slice(values [][]byte) error {
	i := c.rank
	for v := range c.ordered(values) {
		if i >= c.req.Offset && i < c.end() {
			t, err := c.decode(v)
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
func (c *collector[T]) entry(v []byte) (bool, error) {
	t, err := c.decode(v)
	if err != nil {
		return false, err
	}
	if !c.req.selects(c.schema.facet(t)) {
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
	key := c.schema.Key(t)
	return (c.req.From == nil || bytes.Compare(key, c.req.From) >= 0) &&
		(c.req.To == nil || bytes.Compare(key, c.req.To) < 0)
}

func (p *Planned[T]) decode(value []byte) (t T, err error) {
	if err := packed.Value(value, &t); err != nil {
		return t, p.damaged(err)
	}
	return t, nil
}
