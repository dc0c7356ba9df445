package pagedlist

import (
	"bytes"

	"touchline/shared/packed"
	"touchline/shared/store"
)

// collect takes the entries of what was read, in the order of the request, and keeps
// those on the page. Total is then the rank of the next one that is selected.
func (r *Reading[T]) collect(items map[store.Key]store.Item) error {
	if err := r.take(r.inHead); err != nil {
		return err
	}
	for s := range r.inOrder {
		if !s.need {
			r.Total += s.lo
			continue
		}
		if err := r.chunk(s, items[chunkKey(r.Request.List, s.name)]); err != nil {
			return err
		}
	}
	return nil
}

// chunk takes the entries of a chunk that was read. Where all are selected, it
// decodes those on the page alone.
func (r *Reading[T]) chunk(s *span, item store.Item) error {
	if item == nil {
		return ErrStale
	}
	all, err := values(bytesOf(item, attrEntries))
	if err != nil {
		return r.damaged(err)
	}
	if len(all) != s.all {
		return ErrStale
	}
	if s.hits < s.all || s.cut || r.Request.Where != nil {
		return r.take(all)
	}
	from, to := max(r.Request.Offset-r.Total, 0), min(r.end()-r.Total, len(all))
	for i := from; i < to; i++ {
		t, err := r.decode(r.at(all, i))
		if err != nil {
			return err
		}
		r.Entries = append(r.Entries, t)
	}
	r.Total += len(all)
	return nil
}

// at is the one of all that comes after i others in the order of the request.
func (r *Reading[T]) at(all [][]byte, i int) []byte {
	if r.Request.Reverse {
		i = len(all) - 1 - i
	}
	return all[i]
}

// take takes entries of which some may not be selected.
func (r *Reading[T]) take(all [][]byte) error {
	for i := range all {
		t, err := r.decode(r.at(all, i))
		if err != nil {
			return err
		}
		if !r.selects(r.Schema.facet(t)) || !r.inRange(t) || r.Request.Where != nil && !r.Request.Where(t) {
			continue
		}
		if r.Total >= r.Request.Offset && r.Total < r.end() {
			r.Entries = append(r.Entries, t)
		}
		r.Total++
	}
	return nil
}

func (r *Reading[T]) inRange(t T) bool {
	if r.whole() {
		return true
	}
	key := r.Schema.Key(t)
	return (r.Request.From == nil || bytes.Compare(key, r.Request.From) >= 0) &&
		(r.Request.To == nil || bytes.Compare(key, r.Request.To) < 0)
}

func (r *Reading[T]) decode(value []byte) (t T, err error) {
	if err := packed.Value(value, &t); err != nil {
		return t, r.damaged(err)
	}
	return t, nil
}
