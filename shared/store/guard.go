package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// guardMargin is how long before the end of a lease its holder stops writing:
// it covers a call in progress and the difference of two clocks.
const guardMargin = 2 * time.Second

// Guard returns db as the holder of the lease may use it. A write that would begin less
// than 2 s before the lease's end renews the lease first. If the renewal fails, so does
// the write, with ErrLeaseLost. A Table passes here before each of its attempts, since a
// machine may sleep between two of them.
//
// A lease that has run out is still its holder's as long as nobody else has taken
// it: that is the condition of a renewal, however late. So a table that is too busy
// for the renewals of a load does not end it.
func (l *Lease) Guard(db DB) DB { return &guarded{db, l} }

type guarded struct {
	DB
	lease *Lease
}

// Write implements DB.
func (g *guarded) Write(ctx context.Context, table string, writes []Write) (Reply, error) {
	if err := g.lease.hold(ctx); err != nil {
		return Reply{}, err
	}
	return g.DB.Write(ctx, table, writes)
}

// valid reports whether the lease lasts for guardMargin at least.
func (l *Lease) valid() bool { return l.Now().UnixMilli() < l.end.Load()-guardMargin.Milliseconds() }

// hold makes sure of the lease for a write: it renews one that may have run out.
func (l *Lease) hold(ctx context.Context) error {
	if l.valid() {
		return nil
	}
	l.late.Lock()
	defer l.late.Unlock()
	if l.valid() { // another write has renewed it
		return nil
	}
	ctx, end := context.WithTimeout(ctx, LeaseTerm)
	defer end()
	err := l.Renew(ctx)
	switch {
	case err == nil && !l.valid(): // the machine slept since
		return ErrLeaseLost
	case err != nil && !errors.Is(err, ErrLeaseLost):
		return fmt.Errorf("%w: %w", ErrLeaseLost, err)
	}
	return err
}
