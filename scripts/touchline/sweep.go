package main

import (
	"context"
	"time"

	"touchline/shared/limits/dynamo"
)

// sweepEvery is how often serve deletes expired nonces and quotas of its own
// engine, which unlike AWS's DynamoDB does not.
const sweepEvery = 10 * time.Minute

// sweep deletes what has expired, and says no more than that it could not.
func (d *database) sweep(ctx context.Context, c *console) {
	for _, table := range []string{d.tables.Nonces, d.tables.Quotas} {
		if _, err := dynamo.Sweep(ctx, d.client, table, c.Now()); err != nil && ctx.Err() == nil {
			c.sayf("note: %v", err)
		}
	}
}

// sweeping sweeps at each tick until ctx ends.
func (d *database) sweeping(ctx context.Context, c *console, tick <-chan time.Time) {
	for {
		select {
		case <-tick:
			d.sweep(ctx, c)
		case <-ctx.Done():
			return
		}
	}
}
