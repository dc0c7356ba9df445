package simulation_test

import (
	"context"
	"errors"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/simulation"
	"touchline/shared/store"
)

// Client is the database as one process sees it: the schedule decides what becomes of
// each call. Without a process all are made at once.
type Client struct {
	*simulation.Database
	Process *Process
	// Counted, if set, is called when a request was counted.
	Counted func(ctx context.Context)
}

// made has the schedule make a call.
func made[T any](ctx context.Context, c Client, what string, apply func(context.Context) (T, error)) (T, error) {
	arrives := context.WithoutCancel(ctx) // a call may be made after it was given up
	r := c.Process.attempt(ctx, call{what, func() (any, error) { return apply(arrives) }})
	answer, _ := r.out.(T) // nil after an error
	return answer, r.err
}

// attempts is how often a client of nonces or keys makes a call, as the SDK does.
const attempts = 3

// repeated makes a call again where it failed in passing.
func repeated(ctx context.Context, call func() error) error {
	for n := 1; ; n++ {
		err := call()
		if n == attempts || ctx.Err() != nil || !errors.Is(err, store.ErrThrottled) && !errors.As(err, new(*store.TransientError)) {
			return err
		}
	}
}

// Get implements store.DB.
func (c Client) Get(ctx context.Context, table string, of []store.Key, consistent bool) (store.Reply, error) {
	return made(ctx, c, "Get "+of[0].PK+" "+of[0].SK, func(ctx context.Context) (store.Reply, error) { return c.Database.Get(ctx, table, of, consistent) })
}

// Consume implements limits.NonceStore.
func (c Client) Consume(ctx context.Context, n limits.Nonce) error {
	return repeated(ctx, func() error {
		_, err := made(ctx, c, "Consume "+n.Value, func(ctx context.Context) (struct{}, error) { return struct{}{}, c.Database.Consume(ctx, n) })
		return err
	})
}

// Take implements limits.QuotaStore.
func (c Client) Take(ctx context.Context, q limits.Quota) (limits.Decision, error) {
	return made(ctx, c, "Take "+string(q.Organization), func(ctx context.Context) (limits.Decision, error) {
		decision, err := c.Database.Take(ctx, q)
		if c.Counted != nil && decision.Allowed {
			c.Counted(ctx)
		}
		return decision, err
	})
}

// Keys are the keys as the process sees them.
func (c Client) Keys() keys.Store { return clientKeys{c} }

type clientKeys struct{ Client }

// Get implements keys.Store.
func (c clientKeys) Get(ctx context.Context, id string) (k keys.Key, err error) {
	err = repeated(ctx, func() error {
		k, err = made(ctx, c.Client, "Get key "+id, func(ctx context.Context) (keys.Key, error) { return c.Database.Keys().Get(ctx, id) })
		return err
	})
	return k, err
}

// List implements keys.Store.
func (c clientKeys) List(ctx context.Context) ([]keys.Key, error) { return c.Database.Keys().List(ctx) }

// Put implements keys.Store.
func (c clientKeys) Put(ctx context.Context, k keys.Key) error { return c.Database.Keys().Put(ctx, k) }
