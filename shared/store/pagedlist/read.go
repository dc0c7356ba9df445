package pagedlist

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"touchline/shared/packed"
	"touchline/shared/store"
)

// Getter returns the items at keys that exist. Where fresh is set it reads past
// any cache and sees every write that has completed. Table.BatchGet is one.
type Getter func(ctx context.Context, keys []store.Key, fresh bool) (map[store.Key]store.Item, error)

// attempts is how often a read is tried that edits overtake. One edit takes longer
// than a read, so that even two in a row fail the third attempt at most.
const attempts = 4

// Reading is a read of a list in progress, from the items that it has got. It is for
// reads that share round trips; others call Read.
type Reading[T any] struct {
	Schema  Schema[T]
	Request Request[T]

	// The page, and the total, once Wants wants nothing.
	Entries []T
	Total   int

	opened, done bool
	// Once opened: the packed entries of a list that is in its head, or the spans of another,
	// in the list's order. No entry outside of them is selected.
	inHead   [][]byte
	spans    []span
	selected map[facet]bool // Request.selects, as far as it was asked
}

// Wants are the keys of items that the read lacks; none: it is done. Items are those
// that were read so far, nil where there isn't one. After ErrStale call Again.
func (r *Reading[T]) Wants(items map[store.Key]store.Item) (keys []store.Key, err error) {
	for pages := true; pages && !r.done; {
		if keys = []store.Key{HeadKey(r.Request.List)}; r.opened {
			r.choose()
			keys, pages = r.wanted()
		}
		lacks := func(key store.Key) bool { _, read := items[key]; return !read }
		switch {
		case slices.ContainsFunc(keys, lacks):
			return keys, nil
		case !r.opened:
			err = r.open(items[keys[0]])
		case pages:
			err = r.expand(items)
		default:
			r.done = true
			err = r.collect(items)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// open takes the head.
func (r *Reading[T]) open(head store.Item) (err error) {
	q := &r.Request
	switch {
	case head == nil:
	case head[attrEntries] != nil:
		r.inHead, err = values(bytesOf(head, attrEntries))
	case head[attrIndex] != nil:
		r.spans, err = r.spansOf(bytesOf(head, attrIndex), false, nil, nil)
	default:
		r.spans, err = r.spansOf(bytesOf(head, attrDirectory), true, nil, nil)
	}
	if err != nil {
		return r.damaged(err)
	}
	r.opened = true
	q.Offset, q.Limit = max(q.Offset, 0), max(q.Limit, 0)
	return nil
}

func (r *Reading[T]) damaged(err error) error {
	return fmt.Errorf("%s list %s: %w: %w", r.Schema.Name, r.Request.List, ErrDamaged, err)
}

// Again reads from the head on, until no edit overtakes the read. It fails with ErrStale
// after several attempts.
func (r *Reading[T]) Again(ctx context.Context, get Getter) error {
	for range attempts - 1 {
		next := &Reading[T]{Schema: r.Schema, Request: r.Request}
		if err := next.finish(ctx, get, true, map[store.Key]store.Item{}); !errors.Is(err, ErrStale) {
			*r = *next
			return err
		}
	}
	return fmt.Errorf("%s list %s: %w", r.Schema.Name, r.Request.List, ErrStale)
}

func (r *Reading[T]) finish(ctx context.Context, get Getter, fresh bool, items map[store.Key]store.Item) error {
	for {
		keys, err := r.Wants(items)
		if err != nil || len(keys) == 0 {
			return err
		}
		found, err := get(ctx, keys, fresh)
		if err != nil {
			return err
		}
		for _, key := range keys {
			items[key] = found[key]
		}
	}
}

// Read returns a page and the total, read again where an edit overtook it (Again).
func Read[T any](ctx context.Context, get Getter, schema Schema[T], req Request[T]) (entries []T, total int, err error) {
	r := &Reading[T]{Schema: schema, Request: req}
	if err = r.finish(ctx, get, false, map[store.Key]store.Item{}); errors.Is(err, ErrStale) {
		err = r.Again(ctx, get)
	}
	if err != nil {
		return nil, 0, err
	}
	return r.Entries, r.Total, nil
}

// All returns every entry that the request selects; its Offset and Limit are
// ignored.
func All[T any](ctx context.Context, get Getter, schema Schema[T], req Request[T]) ([]T, error) {
	req.Offset, req.Limit = 0, math.MaxInt
	entries, _, err := Read(ctx, get, schema, req)
	return entries, err
}

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
