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

// Alone does something under the lease, also where a load was interrupted (Lock.Header). The
// lock's table refuses writes once the lease may have run out.
func (l *Loader) Alone(ctx context.Context, do func(context.Context, *journal.Lock) error) error {
	ctx, own, err := l.take(ctx)
	if err != nil {
		return err
	}
	defer own.lock.Free()
	return do(ctx, own.lock)
}

// Interrupted reports whether a load was interrupted that nobody is making or finishing
// now.
func (l *Loader) Interrupted(ctx context.Context) (bool, error) {
	if _, err := StateOf(ctx, l.Table); !errors.Is(err, ErrUnfinished) {
		return false, err
	}
	impatient := *l
	impatient.Patience = 0
	interrupted := false
	err := impatient.Alone(ctx, func(_ context.Context, lock *journal.Lock) error {
		interrupted = lock.Header != nil
		return nil
	})
	if errors.As(err, new(*store.HeldError)) {
		err = nil
	}
	return interrupted, err
}
