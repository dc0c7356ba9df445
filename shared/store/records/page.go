package records

import (
	"context"
	"errors"
	"fmt"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// Query is a read of a list: a *Page.
type Query interface {
	// step goes on as far as what the snapshot holds allows, and answers what
	// it needs next; nothing once it is done.
	step(ctx context.Context, s *Snapshot) ([]store.Key, error)
}

// Page is a part of a list that is asked for, and after Snapshot.Read what it
// holds. A Page with Limit 0 is a count.
type Page[T any] struct {
	Kind    pagedlist.Kind[T]
	Request pagedlist.Request[T]

	Entries []T
	Total   int // entries that the request selects, on all pages

	planned *pagedlist.Planned[T]
	done    bool
}

// Read reads lists side by side: their stages share round trips, and what was
// fetched before needs none.
func (s *Snapshot) Read(ctx context.Context, queries ...Query) error {
	for {
		var keys []store.Key
		for _, q := range queries {
			more, err := q.step(ctx, s)
			if err != nil {
				return err
			}
			keys = append(keys, more...)
		}
		if len(keys) == 0 {
			return nil
		}
		if err := s.Fetch(ctx, keys...); err != nil {
			return err
		}
	}
}

func (p *Page[T]) step(ctx context.Context, s *Snapshot) ([]store.Key, error) {
	if p.done {
		return nil, nil
	}
	if p.planned == nil {
		// What a reverse read has beside the head saves it a trip, no more.
		if !s.Holds(pagedlist.HeadKeys(p.Request.List, false)...) {
			return pagedlist.HeadKeys(p.Request.List, p.Request.Reverse), nil
		}
		var err error
		if p.planned, err = pagedlist.Plan(p.Kind, s.items, p.Request); err != nil {
			return nil, err
		}
	}
	for {
		if keys := p.planned.Keys(); !s.Holds(keys...) {
			return keys, nil
		}
		entries, total, err := p.planned.Page(s.items)
		switch {
		case errors.Is(err, pagedlist.ErrMore):
			continue
		case errors.Is(err, pagedlist.ErrStale):
			entries, total, err = p.again(ctx, s)
		}
		if err != nil {
			return nil, err
		}
		p.Entries, p.Total, p.done = entries, total, true
		return nil, nil
	}
}

// again reads a list that was edited meanwhile, past the snapshot and the cache.
func (p *Page[T]) again(ctx context.Context, s *Snapshot) ([]T, int, error) {
	entries, total, err := pagedlist.Read(ctx, s.reader.past, p.Kind, p.Request)
	if err != nil {
		return nil, 0, fmt.Errorf("read again: %w", err)
	}
	return entries, total, nil
}

// past is a list.Getter that takes nothing from the cache.
func (r *Reader) past(ctx context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
	return r.Items.Refresh(ctx, keys, life)
}
