package store

import (
	"context"

	"touchline/shared/meter"
)

// Query names items of one partition, in the order of their sort keys.
type Query struct {
	PK string
	// At most one of the two: sort keys that begin with Prefix, or sort keys
	// from From to To, both inclusive. Without either, the whole partition.
	Prefix   string
	From, To string

	Consistent bool
}

// Query reads the items that q names, page after page; each page is a round
// trip of its own.
func (t *Table) Query(ctx context.Context, q Query) (items []Item, err error) {
	err = t.pages(ctx, func(ctx context.Context, after Key) (Reply, error) {
		return t.DB.Query(ctx, t.Name, q, after)
	}, func(page []Item) (more bool) {
		items = append(items, page...)
		return true
	})
	if err != nil {
		return nil, t.failed("query", err)
	}
	return items, nil
}

// Scan calls each for every item of the table, in no order, with consistent
// reads. An error of each ends it and is returned.
func (t *Table) Scan(ctx context.Context, each func(Item) error) error {
	var ended error
	err := t.pages(ctx, func(ctx context.Context, after Key) (Reply, error) {
		return t.DB.Scan(ctx, t.Name, after)
	}, func(page []Item) (more bool) {
		for _, item := range page {
			if ended = each(item); ended != nil {
				return false
			}
		}
		return true
	})
	switch {
	case ended != nil:
		return ended
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return t.failed("scan", err)
}

// pages reads a page after the other, until the last one or until take wants no more.
func (t *Table) pages(ctx context.Context, read func(context.Context, Key) (Reply, error), take func([]Item) (more bool)) error {
	ctx = t.metered(ctx)
	var pause backoff
	for after := (Key{}); ; {
		call := meter.Begin(ctx, meter.Sports)
		out, err := read(ctx, after)
		call.End(1)
		if err != nil {
			if err := pause.again(ctx, t.Wait, err, false); err != nil {
				return err
			}
			continue
		}
		pause = backoff{}
		meter.Add(ctx, meter.Sports, meter.Use{ItemsRead: len(out.Items), ReadUnits: out.Units})
		if !take(out.Items) || out.Next == (Key{}) {
			return nil
		}
		after = out.Next
	}
}
