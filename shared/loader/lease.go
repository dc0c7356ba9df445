package loader

import (
	"context"
	"errors"
	"time"

	"touchline/shared/loader/journal"
	"touchline/shared/store"
)

// locked is a loader that holds the lease of its table.
type locked struct {
	*Loader // with the table of the lock
	lock    *journal.Lock
}

// take takes the lease, waiting for another load as long as Patience says. Losing it ends
// the context.
func (l *Loader) take(ctx context.Context) (context.Context, *locked, error) {
	const pause = 250 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		leased, lock, err := journal.Take(ctx, l.Table, l.Lease)
		if err == nil {
			own := *l
			own.Table = lock.Table
			return leased, &locked{&own, lock}, nil
		}
		var other *store.HeldError
		if !errors.As(err, &other) || waited >= l.Patience {
			return nil, nil, err
		}
		l.say("waiting for another load ("+other.Label+")", 0, 0)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}

// Hold does something under the lease; number is that of the last load. The table refuses
// writes once the lease may have run out. Where a load was interrupted Hold refuses, as
// StateOf does.
func (l *Loader) Hold(ctx context.Context, do func(ctx context.Context, table *store.Table, number int) error) error {
	ctx, own, err := l.take(ctx)
	if err != nil {
		return err
	}
	defer own.lock.Free()
	if err := unfinished(own.lock.Header, nil); err != nil {
		return err
	}
	return do(ctx, own.Table, own.lock.Last.Number)
}

// Alone does something while no load is running, also where one was interrupted.
func (l *Loader) Alone(ctx context.Context, do func(ctx context.Context) error) error {
	ctx, own, err := l.take(ctx)
	if err != nil {
		return err
	}
	defer own.lock.Free()
	return do(ctx)
}

// Interrupted reports whether a load was interrupted that nobody is making or finishing
// now.
func (l *Loader) Interrupted(ctx context.Context) (bool, error) {
	if _, err := StateOf(ctx, l.Table); !errors.Is(err, ErrUnfinished) {
		return false, err
	}
	impatient := *l
	impatient.Patience = 0
	err := impatient.Alone(ctx, func(ctx context.Context) error {
		_, err := StateOf(ctx, l.Table)
		return err
	})
	interrupted := errors.Is(err, ErrUnfinished)
	if interrupted || errors.As(err, new(*store.HeldError)) {
		err = nil
	}
	return interrupted, err
}
