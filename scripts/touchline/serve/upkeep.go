package serve

import (
	"context"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/store"
	"touchline/shared/store/file"
	"touchline/shared/store/generation"
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

// wipeEvery is how often serve overwrites the free space of the file, which an import that
// erases does, too: it may have been killed before (D64).
const wipeEvery = 24 * time.Hour

// SweepAt wipes the file, and sweeps at the times of when until ctx ends; every wipeEvery
// it wipes again. If either fails, it only says so.
func SweepAt(ctx context.Context, c *terminal.Terminal, d *database.Database, when <-chan time.Time) {
	var wiped time.Time
	for {
		if now := c.Now(); now.Sub(wiped) >= wipeEvery {
			wiped = now
			if err := d.Wipe(ctx); err != nil && ctx.Err() == nil {
				c.Sayf("note: %v", err)
			}
		}
		select {
		case <-when:
			sweep(ctx, c, d)
		case <-ctx.Done():
			return
		}
	}
}

// freshEvery is how often serve looks whether a load has changed the file: a read of one
// small item, which takes some microseconds there. On AWS answers may be as old as D10
// says.
const freshEvery = 50 * time.Millisecond

// FreshAt looks at the times of when whether a load has begun or ended, until ctx ends,
// and drops what is cached then: so a goal is in the next answer.
func FreshAt(ctx context.Context, table *store.Table, cached *store.Cached, when <-chan time.Time) {
	var last generation.State
	for {
		select {
		case <-when:
		case <-ctx.Done():
			return
		}
		state, err := generation.Read(ctx, table)
		if err == nil && state != last {
			cached.Forget()
			last = state
		}
	}
}
