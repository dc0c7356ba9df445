package loader

import (
	"context"

	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/store"
)

// Loads are the loads of a range that changed something, as far as they are kept, the
// newest first. It needs no lease.
func Loads(ctx context.Context, table *store.Table, of history.Range) ([]history.Past, error) {
	_, last, err := journal.Read(ctx, table)
	if err != nil {
		return nil, err
	}
	return history.Read(ctx, table, last, of)
}

// Keep says how many days loads are kept from now on. A load that was interrupted is
// left alone, and what was said before holds until the next call.
func (l *Loader) Keep(ctx context.Context, days int) error {
	if _, last, err := journal.Read(ctx, l.Table); err != nil || last.Kept.Days == days {
		return err
	}
	ctx, own, err := l.take(ctx)
	if err != nil {
		return err
	}
	defer own.lock.Free()
	if own.lock.Head != nil {
		return nil
	}
	own.lock.Last.Kept.Days = days
	mark, err := own.lock.Last.Item()
	if err != nil {
		return err
	}
	return own.Lease.Complete(ctx, mark)
}
