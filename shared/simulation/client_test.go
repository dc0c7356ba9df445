package simulation_test

import (
	"context"
	"errors"
	"time"

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

// made has the schedule make a call. partly makes a part of a bulk write; nil: the
// call is not one.
func made[T any](ctx context.Context, c Client, what string, apply, partly func(context.Context) (T, error)) (T, error) {
	arrives := context.WithoutCancel(ctx) // a call may be made after it was given up
	do := call{what: what, apply: func() (any, error) { return apply(arrives) }}
	if partly != nil {
		do.partly = func() (any, error) { return partly(arrives) }
	}
	r := c.Process.attempt(ctx, do)
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
	return made(ctx, c, "Get "+of[0].PK+" "+of[0].SK, func(ctx context.Context) (store.Reply, error) { return c.Database.Get(ctx, table, of, consistent) }, nil)
}

// Query implements store.DB.
func (c Client) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	return made(ctx, c, "Query "+q.PK, func(ctx context.Context) (store.Reply, error) { return c.Database.Query(ctx, table, q, after) }, nil)
}

// Scan implements store.DB.
func (c Client) Scan(ctx context.Context, table string, after store.Key) (store.Reply, error) {
	return made(ctx, c, "Scan "+after.PK, func(ctx context.Context) (store.Reply, error) { return c.Database.Scan(ctx, table, after) }, nil)
}

// Write implements store.DB.
func (c Client) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	return made(ctx, c, "Write "+writes[0].Key.PK+" "+writes[0].Key.SK,
		func(ctx context.Context) (store.Reply, error) { return c.Database.Write(ctx, table, writes) },
		func(ctx context.Context) (reply store.Reply, err error) {
			reply, err = c.Database.Write(ctx, table, writes[:1])
			for _, w := range writes[1:] {
				reply.Left = append(reply.Left, w.Key)
			}
			return reply, err
		})
}

// TakeLease implements store.Leases.
func (c Client) TakeLease(ctx context.Context, table string, key store.Key, by store.Holder, now time.Time) (store.Held, error) {
	return made(ctx, c, "TakeLease "+key.PK, func(ctx context.Context) (store.Held, error) { return c.Database.TakeLease(ctx, table, key, by, now) }, nil)
}

// ChangeLease implements store.Leases.
func (c Client) ChangeLease(ctx context.Context, table string, key store.Key, holder string, change store.LeaseChange) (store.Held, error) {
	return made(ctx, c, "ChangeLease "+key.PK, func(ctx context.Context) (store.Held, error) {
		return c.Database.ChangeLease(ctx, table, key, holder, change)
	}, nil)
}

// Consume implements limits.NonceStore.
func (c Client) Consume(ctx context.Context, n limits.Nonce) error {
	return repeated(ctx, func() error {
		_, err := made(ctx, c, "Consume "+n.Value, func(ctx context.Context) (struct{}, error) { return struct{}{}, c.Database.Consume(ctx, n) }, nil)
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
	}, nil)
}

// Keys are the keys as the process sees them.
func (c Client) Keys() keys.Store { return clientKeys{c} }

type clientKeys struct{ Client }

// Get implements keys.Store.
func (c clientKeys) Get(ctx context.Context, id string) (k keys.Key, err error) {
	err = repeated(ctx, func() error {
		k, err = made(ctx, c.Client, "Get key "+id, func(ctx context.Context) (keys.Key, error) { return c.Database.Keys().Get(ctx, id) }, nil)
		return err
	})
	return k, err
}

// List implements keys.Store.
func (c clientKeys) List(ctx context.Context) ([]keys.Key, error) { return c.Database.Keys().List(ctx) }

// Put implements keys.Store.
func (c clientKeys) Put(ctx context.Context, k keys.Key) error { return c.Database.Keys().Put(ctx, k) }
