package pagedlist

import (
	"bytes"

	"touchline/shared/packed"
	"touchline/shared/store"
)

// A collector takes the entries of chunks, in the order of the request, and keeps those
// on the page.
type collector[T any] struct {
	*Planned[T]
	rank    int // of the next entry that is selected
	entries []T
}

// chunk takes the entries of a chunk that was read. Where all are selected, it
// decodes those on the page alone.
func (c *collector[T]) chunk(s *span, item store.Item) error {
	if item == nil {
		return ErrStale
	}
	all, err := values(bytesOf(item, attrEntries))
	if err != nil {
		return c.damaged(err)
	}
	if len(all) != s.all {
		return ErrStale
	}
	if s.hits < s.all || s.cut || c.req.Where != nil {
		return c.take(all)
	}
	from, to := max(c.req.Offset-c.rank, 0), min(c.end()-c.rank, len(all))
	for i := from; i < to; i++ {
		t, err := c.decode(c.at(all, i))
		if err != nil {
			return err
		}
		c.entries = append(c.entries, t)
	}
	c.rank += len(all)
	return nil
}

// at is the one of all that comes after i others in the order of the request.
func (c *collector[T]) at(all [][]byte, i int) []byte {
	if c.req.Reverse {
		i = len(all) - 1 - i
	}
	return all[i]
}

// take takes entries of which some may not be selected.
func (c *collector[T]) take(all [][]byte) error {
	for i := range all {
		t, err := c.decode(c.at(all, i))
		if err != nil {
			return err
		}
		if !c.selects(c.schema.facet(t)) || !c.inRange(t) || c.req.Where != nil && !c.req.Where(t) {
			continue
		}
		if c.rank >= c.req.Offset && c.rank < c.end() {
			c.entries = append(c.entries, t)
		}
		c.rank++
	}
	return nil
}

func (c *collector[T]) inRange(t T) bool {
	if c.whole() {
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
