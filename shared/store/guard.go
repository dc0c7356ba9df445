package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// guardMargin is how long before the end of a lease its holder stops writing:
// it covers a call in progress and the difference of two clocks.
const guardMargin = 2 * time.Second

// Guard returns db as the holder of the lease may use it. A bulk write that would begin
// less than 2 s before the lease's end renews the lease first. If the renewal fails, so
// does the write, with ErrLeaseLost. The same holds for each retry of a call by the SDK,
// since a machine may sleep between two of them.
//
// A lease that has run out is still its holder's as long as nobody else has taken
// it: that is the condition of a renewal, however late. So a table that is too busy
// for the renewals of a load does not end it.
func (l *Lease) Guard(db SDK) SDK { return &guarded{db, l} }

type guarded struct {
	SDK
	lease *Lease
}

// BatchWriteItem implements DB.
func (g *guarded) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	if err := g.lease.hold(ctx); err != nil {
		return nil, err
	}
	return g.SDK.BatchWriteItem(ctx, in, append(options, g.lease.guardAttempts)...)
}

// MaxWrites is how many writes a call takes.
func (g *guarded) MaxWrites() int { return (&Table{DB: g.SDK}).maxWrites() }

// MaxCalls is how many calls are made at once.
func (g *guarded) MaxCalls() int { return (&Table{DB: g.SDK}).parallel() }

// Scan implements Scanner where the guarded client does.
func (g *guarded) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	db, ok := g.SDK.(Scanner)
	if !ok {
		return nil, errNoScan
	}
	return db.Scan(ctx, in, options...)
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

// guardAttempts checks the lease before every attempt of a call.
func (l *Lease) guardAttempts(o *dynamodb.Options) {
	check := middleware.FinalizeMiddlewareFunc("Lease", func(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (out middleware.FinalizeOutput, _ middleware.Metadata, err error) {
		if err := l.hold(ctx); err != nil {
			return out, middleware.Metadata{}, err
		}
		return next.HandleFinalize(ctx, in)
	})
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Finalize.Insert(check, "Retry", middleware.After)
	})
}
