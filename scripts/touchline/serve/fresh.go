package serve

import (
	"context"
	"time"

	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// freshEvery is how often serve looks whether a load has changed the file: a read of one
// small item, which takes some microseconds there. On AWS answers may be as old as D10
// says.
const freshEvery = 50 * time.Millisecond

// FreshAt looks at each tick whether a load has begun or ended, until ctx ends, and
// drops what is cached then: so a goal is in the next answer.
func FreshAt(ctx context.Context, table *store.Table, cached *store.Cached, tick <-chan time.Time) {
	var last generation.State
	for {
		select {
		case <-tick:
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
