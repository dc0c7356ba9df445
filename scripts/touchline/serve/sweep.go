package serve

import (
	"context"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/store/file"
)

// sweepEvery is how often serve deletes expired nonces and quotas from the file, as
// AWS's DynamoDB does by itself.
const sweepEvery = 10 * time.Minute

// sweep deletes what has expired; if that fails, it only says so.
func sweep(ctx context.Context, c *terminal.Terminal, d *database.Database) {
	for _, table := range []string{file.NoncesTable, file.QuotasTable} {
		if _, err := d.File.Sweep(ctx, table, c.Now()); err != nil && ctx.Err() == nil {
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
