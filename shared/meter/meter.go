// Package meter counts what a request or a load asks of the stores: round trips,
// capacity units and items.
//
// Whoever wants to know puts a Meter into the context (With); the stores add to
// every Meter that they find there. The log of requests, the report of a load
// and the tests that hold the budgets all read the same counts.
//
// The package imports the standard library only, so that a store can count
// without knowing who reads it.
package meter

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Store is what a request or a load may wait for.
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

// String is the store's name in a line of the log.
func (s Store) String() string {
	return [stores]string{"keys", "secrets", "nonces", "quotas", "sports"}[s]
}

// Stores lists the stores.
func Stores() []Store { return []Store{Keys, Secrets, Nonces, Quotas, Sports} }

// Use is what was asked of a store.
type Use struct {
	// Trips are sequential round trips that ended: parallel calls within one read
	// or write are one, and the SDK's own retries are not counted.
	Trips int
	Hits  int           // items found in the worker's memory
	Took  time.Duration // of the calls that ended, summed; 0 without a clock

	ReadUnits, WriteUnits   float64 // as DynamoDB reported them
	ItemsRead, ItemsWritten int     // deletes are writes
}

func (u *Use) add(v Use) {
	u.Trips += v.Trips
	u.Hits += v.Hits
	u.Took += v.Took
	u.ReadUnits += v.ReadUnits
	u.WriteUnits += v.WriteUnits
	u.ItemsRead += v.ItemsRead
	u.ItemsWritten += v.ItemsWritten
}

// Uses are the counts by Store.
type Uses [stores]Use

// Meter adds up what is asked of the stores. The zero Meter is ready; it is safe
// for concurrent use. The fields are set before the first use.
type Meter struct {
	// Now, where set, is the clock that calls are timed by.
	Now func() time.Time

	mu   sync.Mutex
	uses Uses
}

// Uses are the counts so far.
func (m *Meter) Uses() Uses {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.uses
}

// Total is the sum of the counts of all stores so far.
func (m *Meter) Total() Use { return m.Uses().total() }

// Reset returns the sum of the counts so far, and sets them to zero.
func (m *Meter) Reset() Use {
	m.mu.Lock()
	defer m.mu.Unlock()
	total := m.uses.total()
	m.uses = Uses{}
	return total
}

func (u Uses) total() (total Use) {
	for _, of := range u {
		total.add(of)
	}
	return total
}

func (m *Meter) add(s Store, u Use) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.uses[s].add(u)
}

type contextKey struct{}

// of are the meters of a context.
func of(ctx context.Context) []*Meter {
	all, _ := ctx.Value(contextKey{}).([]*Meter)
	return all
}

// With adds m to the meters of a context.
func With(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, contextKey{}, append(slices.Clip(of(ctx)), m))
}

// Add adds u to the meters of the context.
func Add(ctx context.Context, s Store, u Use) {
	for _, m := range of(ctx) {
		m.add(s, u)
	}
}

// Hit adds n items found in the worker's memory.
func Hit(ctx context.Context, s Store, n int) { Add(ctx, s, Use{Hits: n}) }

// Units adds the capacity that a call consumed.
func Units(ctx context.Context, s Store, read, write float64) {
	Add(ctx, s, Use{ReadUnits: read, WriteUnits: write})
}

// Call is a call of a store.
type Call struct {
	meters []*Meter
	store  Store
	began  time.Time // by the clock of the last meter
}

// Begin begins a call of a store. Every call is ended.
func Begin(ctx context.Context, s Store) Call {
	c := Call{meters: of(ctx), store: s}
	c.began = c.now()
	return c
}

func (c Call) now() time.Time {
	if n := len(c.meters); n > 0 && c.meters[n-1].Now != nil {
		return c.meters[n-1].Now()
	}
	return time.Time{}
}

// End ends the call, which took as many sequential round trips.
func (c Call) End(trips int) {
	took := c.now().Sub(c.began)
	for _, m := range c.meters {
		m.add(c.store, Use{Trips: trips, Took: took})
	}
}
