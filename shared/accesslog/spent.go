package accesslog

import (
	"context"
	"sync"
	"time"
)

// Store is what a request may wait for.
type Store int

// The stores, in the order in which a request comes to them.
const (
	Keys    Store = iota // records of keys
	Secrets              // what opens the secrets of keys: KMS on AWS
	Nonces
	Quotas
	Sports // the data
	stores
)

// String is the store's name in a line.
func (s Store) String() string {
	return [stores]string{"keys", "secrets", "nonces", "quotas", "sports"}[s]
}

// Stores lists the stores.
func Stores() []Store { return []Store{Keys, Secrets, Nonces, Quotas, Sports} }

// Use is what was asked of a store.
type Use struct {
	Calls                 int           // round trips that ended, the client's own retries not counted
	Open                  int           // calls that did not end yet
	Hits                  int           // answers out of the worker's memory
	ReadUnits, WriteUnits float64       // as DynamoDB reported them
	Took                  time.Duration // of the calls that ended, summed
}

// Spent adds up what one request asks of the stores. It is safe for concurrent
// use; Now is set before the first.
type Spent struct {
	Now func() time.Time

	mu   sync.Mutex
	uses [stores]Use
}

// Uses gives the sums so far, by Store.
func (s *Spent) Uses() [stores]Use {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.uses
}

type spentKey struct{}

// With has what is asked under the context added to s.
func With(ctx context.Context, s *Spent) context.Context {
	return context.WithValue(ctx, spentKey{}, s)
}

// Call is a call of a store under way. The zero Call is added to nothing.
type Call struct {
	spent *Spent
	store Store
	began time.Time
}

// Begin begins a call of a store, for the request of the context if there is
// one. Every call is ended.
func Begin(ctx context.Context, s Store) Call {
	spent, ok := ctx.Value(spentKey{}).(*Spent)
	if !ok {
		return Call{}
	}
	spent.mu.Lock()
	defer spent.mu.Unlock()
	spent.uses[s].Open++
	return Call{spent: spent, store: s, began: spent.Now()}
}

// End ends the call, which took as many round trips one after the other.
func (c Call) End(trips int) {
	if c.spent == nil {
		return
	}
	took := c.spent.Now().Sub(c.began)
	c.spent.mu.Lock()
	defer c.spent.mu.Unlock()
	use := &c.spent.uses[c.store]
	use.Open--
	use.Calls += trips
	use.Took += took
}

// Units adds the capacity that a call consumed, in read and write units.
func Units(ctx context.Context, s Store, read, write float64) {
	spent, ok := ctx.Value(spentKey{}).(*Spent)
	if !ok {
		return
	}
	spent.mu.Lock()
	defer spent.mu.Unlock()
	spent.uses[s].ReadUnits += read
	spent.uses[s].WriteUnits += write
}

// Hit adds n answers that the worker still knew.
func Hit(ctx context.Context, s Store, n int) {
	spent, ok := ctx.Value(spentKey{}).(*Spent)
	if !ok {
		return
	}
	spent.mu.Lock()
	defer spent.mu.Unlock()
	spent.uses[s].Hits += n
}
