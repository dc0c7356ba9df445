package serve

import (
	"context"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/limits/dynamo"
)

// sweepEvery is how often serve deletes expired nonces and quotas from its own
// engine, which does not do so by itself as AWS's DynamoDB does.
const sweepEvery = 10 * time.Minute

// sweep deletes what has expired; if that fails, it only says so.
func sweep(ctx context.Context, c *terminal.Terminal, d *database.Database) {
	for _, table := range []string{d.Tables.Nonces, d.Tables.Quotas} {
		if _, err := dynamo.Sweep(ctx, d.Client, table, c.Now()); err != nil && ctx.Err() == nil {
			c.Sayf("note: %v", err)
		}
	}
}

// SweepAt sweeps at each tick until ctx ends.
func SweepAt(ctx context.Context, c *terminal.Terminal, d *database.Database, tick <-chan time.Time) {
	for {
		select {
		case <-tick:
			sweep(ctx, c, d)
		case <-ctx.Done():
			return
		}
	}
}
