package loader

import (
	"context"

	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// checkLayout reports whether the table is empty. The error is
// *generation.OtherError where it is of another layout, and *generation.MovedError
// where loads go to another one.
func (l *Loader) checkLayout(ctx context.Context) (empty bool, err error) {
	state, err := generation.Read(ctx, l.Table)
	if generation.IsEmpty(err) {
		return true, nil
	}
	if err == nil && state.Moved != 0 {
		err = &generation.MovedError{Table: l.Table.Name, To: state.Moved}
	}
	return false, err
}

// StateOf reads the state of a table, zero where nothing was ever loaded. Its errors:
// ErrUnfinished, a load was interrupted; *generation.OtherError, the table is of another
// layout.
func StateOf(ctx context.Context, table *store.Table) (generation.State, error) {
	state, err := generation.Read(ctx, table)
	if err != nil && !generation.IsEmpty(err) {
		return state, err
	}
	header, _, err := journal.Read(ctx, table)
	if err == nil && header != nil {
		err = ErrUnfinished
	}
	return state, err
}

// Loads are the loads of a range that changed something, as far as they are kept, the
// newest first. It needs no lease.
func Loads(ctx context.Context, table *store.Table, of history.Range) ([]history.Past, error) {
	_, last, err := journal.Read(ctx, table)
	if err != nil {
		return nil, err
	}
	return history.Read(ctx, table, last, of)
}

// Keep says how many days loads are kept from now on. Where a load was interrupted it does
// nothing: call it again once that one is finished.
func (l *Loader) Keep(ctx context.Context, days int) error {
	if _, last, err := journal.Read(ctx, l.Table); err != nil || last.Kept.Days == days {
		return err
	}
	return l.Alone(ctx, func(ctx context.Context, lock *journal.Lock) error {
		if lock.Header != nil {
			return nil
		}
		lock.Last.Kept.Days = days
		mark, err := lock.Last.Item()
		if err != nil {
			return err
		}
		return lock.Lease.Complete(ctx, mark)
	})
}
