package pagedlist

import (
	"bytes"

	"touchline/shared/packed"
	"touchline/shared/store"
)

// collect takes the entries of what was read, in the order of the request, and keeps
// those on the page. Total is then the rank of the next one that is selected.
func (r *Reading[T]) collect(items map[store.Key]store.Item) error {
	if err := r.take(r.inHead, false); err != nil {
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

// chunk takes the entries of a chunk that was read.
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
	return r.take(all, s.hits == s.all && !s.cut && r.Request.Where == nil)
}

// take takes entries. Where all are known to be selected, it decodes those on the page
// alone.
func (r *Reading[T]) take(all [][]byte, selected bool) error {
	for i := range all {
		if r.Request.Reverse {
			i = len(all) - 1 - i
		}
		onPage := r.Total >= r.Request.Offset && r.Total < r.end()
		if selected && !onPage {
			r.Total++
			continue
		}
		var t T
		if err := packed.Value(all[i], &t); err != nil {
			return r.damaged(err)
		}
		if !selected && (!r.selects(r.Schema.facet(t)) || !r.inRange(t) || r.Request.Where != nil && !r.Request.Where(t)) {
			continue
		}
		if onPage {
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
