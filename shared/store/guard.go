package store

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// guardMargin is how long before the end of a lease its holder stops writing:
// it covers a call in progress and the difference of two clocks.
const guardMargin = 2 * time.Second

// Guard returns db as the holder of the lease may use it: a bulk write that
// would begin less than 2 s before the lease's end fails with ErrLeaseLost.
// That also holds for the SDK's retries of a call, since a machine may sleep
// between two of them.
func (l *Lease) Guard(db DB) DB { return &guarded{db, l} }

type guarded struct {
	DB
	lease *Lease
}

// BatchWriteItem implements DB.
func (g *guarded) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	if err := g.lease.valid(); err != nil {
		return nil, err
	}
	return g.DB.BatchWriteItem(ctx, in, append(options, g.lease.guardAttempts)...)
}

// MaxWrites is how many writes a call takes.
func (g *guarded) MaxWrites() int { return (&Table{DB: g.DB}).maxWrites() }

// MaxCalls is how many calls are made at once.
func (g *guarded) MaxCalls() int { return (&Table{DB: g.DB}).parallel() }

// Scan implements Scanner where the guarded client does.
func (g *guarded) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	db, ok := g.DB.(Scanner)
	if !ok {
		return nil, errNoScan
	}
	return db.Scan(ctx, in, options...)
}

// valid returns ErrLeaseLost from guardMargin before the lease's end.
func (l *Lease) valid() error {
	if l.Now().UnixMilli() >= l.end.Load()-guardMargin.Milliseconds() {
		return ErrLeaseLost
	}
	return nil
}

// guardAttempts checks the lease before every attempt of a call.
func (l *Lease) guardAttempts(o *dynamodb.Options) {
	check := middleware.FinalizeMiddlewareFunc("Lease", func(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (out middleware.FinalizeOutput, _ middleware.Metadata, err error) {
		if err := l.valid(); err != nil {
			return out, middleware.Metadata{}, err
		}
		return next.HandleFinalize(ctx, in)
	})
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Finalize.Insert(check, "Retry", middleware.After)
	})
}
