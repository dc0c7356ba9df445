package commit

import (
	"context"

	"touchline/shared/loader/history"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// Held is a table of which a lease is held.
type Held struct {
	Table *store.Table // refuses writes once the lease may have run out
	Lease *store.Lease
	Head  *Head        // of a load that has not ended; nil: none
	Mark  history.Mark // of the last load that ended
}

// Take takes the lease of a table. Its errors are those of store.Lease.Take.
func Take(ctx context.Context, table *store.Table, lease *store.Lease) (*Held, error) {
	payload, err := lease.Take(ctx)
	if err != nil {
		return nil, err
	}
	guarded := *table
	guarded.DB = lease.Guard(table.DB)
	h := &Held{Table: &guarded, Lease: lease}
	if h.Head, h.Mark, err = decode(payload, lease.Mark()); err != nil {
		h.Free()
		return nil, err
	}
	return h, nil
}

// Read is what Take finds, without the lease.
func Read(ctx context.Context, table *store.Table) (*Head, history.Mark, error) {
	payload, mark, err := store.ReadLease(ctx, table, records.LockKey())
	if err != nil {
		return nil, history.Mark{}, err
	}
	return decode(payload, mark)
}

// ReadHead reads the head of the journal of a load that has not ended, nil for none.
func ReadHead(ctx context.Context, table *store.Table) (*Head, error) {
	head, _, err := Read(ctx, table)
	return head, err
}

func decode(payload, mark store.Item) (head *Head, last history.Mark, err error) {
	if payload != nil {
		if head, err = store.Decode[Head](payload); err != nil {
			return nil, last, err
		}
		if head.Report != nil {
			head.Report.Number = head.Number
		}
	}
	last, err = history.MarkOf(mark)
	return head, last, err
}

// Free gives the lease back. What it was held for is over either way: a lease that
// cannot be given back runs out.
func (h *Held) Free() { _ = h.Lease.Free(context.Background()) }

// Abandon gives up the load of Head: what it has written stays.
func (h *Held) Abandon(ctx context.Context) error {
	if err := generation.End(ctx, h.Table, 0, h.Lease.Now()); err != nil {
		return err
	}
	return h.End(ctx, true)
}

// End notes that the load of Head has ended, or was given up, and removes its journal.
func (h *Held) End(ctx context.Context, abandoned bool) error {
	mark, err := h.Clear(ctx, abandoned)
	if err != nil {
		return err
	}
	h.Head = nil
	return h.Lease.Complete(ctx, mark)
}

// Clear is End, but leaves the head, and the mark that is returned, to be written as the
// lease ends, unless pieces of the journal are removed: then the head goes first, so that
// half a journal is never taken for a whole one. With its pieces go those that a load has
// left which was killed before it wrote a head.
func (h *Held) Clear(ctx context.Context, abandoned bool) (mark store.Item, err error) {
	if of := h.Head; of.Number > 0 {
		h.Mark = history.Mark{Number: of.Number, ID: of.ID, Abandoned: abandoned, Kept: of.Past, Erased: h.Mark.Erased || of.Erases}
		if mark, err = h.Mark.Item(); err != nil {
			return nil, err
		}
	}
	if h.Head.Pieces > 1 {
		if err := h.Lease.Complete(ctx, mark); err != nil {
			return nil, err
		}
	}
	items, err := h.Table.Query(ctx, store.Query{
		PK: records.JournalPK, From: records.JournalKey(1).SK, To: records.JournalPrefix + "~", Consistent: true,
	})
	if err != nil {
		return nil, err
	}
	var pieces []store.Write
	for _, item := range items {
		pieces = append(pieces, store.Write{Key: store.KeyOf(item)})
	}
	return mark, h.Table.Write(ctx, pieces)
}

// Note keeps how many of the writes of Head are made.
func (h *Held) Note(ctx context.Context, made int) error {
	h.Head.Made = made
	return h.Head.Write(ctx, h.Lease)
}
