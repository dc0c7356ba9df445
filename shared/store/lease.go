package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/meter"
)

// LeaseTerm is how long a lease lasts unless it is renewed: how long a load
// waits for one that was killed.
const LeaseTerm = 10 * time.Second

// Lease is the right of one load at a time to write to a table. It is an item
// with a holder and an end; once the end has passed, any load may take it. The
// clocks of loads that compete must agree within a second.
//
// Two things keep a load from writing after it has lost its lease without
// knowing, because its machine slept or its renewals failed. A table behind
// Guard makes no write from some time before the end of the lease on, unless it
// can renew it, which fails once another load has taken it. And a
// payload is part of the lease's own item, where only the holder can change it:
// condition and write are one call, so no pause can come between them.
//
// A Lease is for one holder. Its methods are safe for concurrent use.
type Lease struct {
	DB     Leases
	Table  string
	Key    Key    // of the item that holds the lease
	Holder string // unlike that of any other load, such as a random id
	Label  string // who that is, for the message to another
	Now    func() time.Time
	Meter  *meter.Meter // counts every use of the lease; may be nil

	end  atomic.Int64 // of the lease, in ms by the wall clock, which goes on while a machine sleeps
	late sync.Mutex   // of the renewal by a write that comes late
}

// HeldError is the error of a lease that another load holds.
type HeldError struct {
	Label string    // of the other load
	Until time.Time // unless it renews; zero: until its process ends
}

// Error names the holder.
func (e *HeldError) Error() string {
	return fmt.Sprintf("another load is running (%s)", e.Label)
}

// ErrLeaseLost is the error of a write by a load whose lease has run out, or may
// have.
var ErrLeaseLost = errors.New("the load's lease has run out: the machine slept, or the database was out of reach")

// Take takes the lease where it is free, has run out or is Holder's already, and is
// what the holders before have left there (Put, Complete, End). It returns *HeldError
// where another holds the lease. It may be repeated after a lost response.
func (l *Lease) Take(ctx context.Context) (Held, error) {
	held, err := l.call(ctx, "lock", func(ctx context.Context) (Held, error) {
		return l.DB.TakeLease(ctx, l.Table, l.Key, Holder{l.Holder, l.Label}, l.Now())
	})
	if err == nil {
		l.ends(held)
	}
	return held, err
}

// ends keeps the end of the lease. One without an end never runs out.
func (l *Lease) ends(held Held) {
	if held.Until.IsZero() {
		l.end.Store(math.MaxInt64)
		return
	}
	l.end.Store(held.Until.UnixMilli())
}

// Renew extends the lease of its holder. *HeldError says that another has it,
// ErrLeaseLost that another had it meanwhile: what was read since may be out of
// date. After any other error it may be tried again.
func (l *Lease) Renew(ctx context.Context) error {
	held, err := l.change(ctx, "lock", LeaseChange{Renew: l.Now().Add(LeaseTerm)})
	if err == nil {
		l.ends(held)
	}
	return err
}

// Put replaces the payload; nil removes it. Its errors are those of Renew.
func (l *Lease) Put(ctx context.Context, payload Item) error {
	_, err := l.change(ctx, "write", LeaseChange{Payload: &payload})
	return err
}

// Complete removes the payload and notes a mark for the holders to come, in one
// write; a nil mark leaves the one that is there. Its errors are those of Renew.
func (l *Lease) Complete(ctx context.Context, mark Item) error {
	_, err := l.change(ctx, "write", LeaseChange{Payload: new(Item), Mark: mark})
	return err
}

// Free gives the lease back and leaves the payload. A lease that another holder
// has taken meanwhile is left alone.
func (l *Lease) Free(ctx context.Context) error {
	err := l.release(ctx, LeaseChange{Release: true})
	if errors.As(err, new(*HeldError)) {
		return nil
	}
	return err
}

// End gives the lease back, removes the payload and notes a mark as Complete
// does, in one write. Where another has taken the lease it changes nothing and
// returns *HeldError.
func (l *Lease) End(ctx context.Context, mark Item) error {
	return l.release(ctx, LeaseChange{Release: true, Payload: new(Item), Mark: mark})
}

func (l *Lease) release(ctx context.Context, c LeaseChange) error {
	_, err := l.change(ctx, "unlock", c)
	l.end.Store(0)
	if errors.Is(err, ErrLeaseLost) { // it is free: the response to an earlier attempt was lost
		return nil
	}
	return err
}

func (l *Lease) change(ctx context.Context, what string, c LeaseChange) (Held, error) {
	return l.call(ctx, what, func(ctx context.Context) (Held, error) {
		return l.DB.ChangeLease(ctx, l.Table, l.Key, l.Holder, c)
	})
}

// call makes a call, again as a Table does.
func (l *Lease) call(ctx context.Context, what string, do func(context.Context) (Held, error)) (held Held, err error) {
	if l.Meter != nil {
		ctx = meter.With(ctx, l.Meter)
	}
	call := meter.Begin(ctx, meter.Sports)
	var pause backoff
	for rounds := 1; ; rounds++ {
		if held, err = do(ctx); err != nil && pause.again(ctx, nil, err, false) == nil {
			continue
		}
		call.End(rounds)
		break
	}
	switch {
	case err == nil:
		meter.Add(ctx, meter.Sports, meter.Use{ItemsWritten: 1, WriteUnits: held.Units})
		return held, nil
	case errors.Is(err, ErrLeaseLost) || errors.As(err, new(*HeldError)):
		return Held{}, err
	}
	return Held{}, (&Table{Name: l.Table}).failed(what, err)
}

// ReadLease reads the payload and the mark of the lease at key, without taking
// the lease; nil for none.
func ReadLease(ctx context.Context, table *Table, key Key) (payload, mark Item, err error) {
	item, err := table.Get(ctx, key, true)
	if err != nil {
		return nil, nil, err
	}
	held := HeldIn(item)
	return held.Payload, held.Mark, nil
}

// Attribute is an attribute of an item that is a map; nil if there isn't one.
func Attribute(item Item, name string) Item {
	found, _ := item[name].(*types.AttributeValueMemberM)
	if found == nil {
		return nil
	}
	return found.Value
}

// FreeLease leaves of the item of a lease what outlives its holder, for a copy of the
// table.
func FreeLease(item Item) {
	maps.DeleteFunc(item, func(name string, _ types.AttributeValue) bool {
		return !slices.Contains([]string{PKName, SKName, LeasePayload, LeaseMark}, name)
	})
}

// guardMargin is how long before the end of a lease its holder stops writing:
// it covers a call in progress and the difference of two clocks.
const guardMargin = 2 * time.Second

// Guard returns db as the holder of the lease may use it. A write that would begin less
// than 2 s before the lease's end renews the lease first. If the renewal fails, so does
// the write, with ErrLeaseLost. A Table passes here before each of its attempts, since a
// machine may sleep between two of them.
//
// A lease that has run out is still its holder's as long as nobody else has taken
// it: that is the condition of a renewal, however late. So a table that is too busy
// for the renewals of a load does not end it.
func (l *Lease) Guard(db DB) DB { return &guarded{db, l} }

type guarded struct {
	DB
	lease *Lease
}

// Write implements DB.
func (g *guarded) Write(ctx context.Context, table string, writes []Write) (Reply, error) {
	if err := g.lease.hold(ctx); err != nil {
		return Reply{}, err
	}
	return g.DB.Write(ctx, table, writes)
}

// valid reports whether the lease lasts for guardMargin at least.
func (l *Lease) valid() bool { return l.Now().UnixMilli() < l.end.Load()-guardMargin.Milliseconds() }

// hold makes sure of the lease for a write: it renews one that may have run out.
func (l *Lease) hold(ctx context.Context) error {
	if l.valid() {
		return nil
	}
	l.late.Lock()
	defer l.late.Unlock()
	if l.valid() { // another write has renewed it
		return nil
	}
	ctx, end := context.WithTimeout(ctx, LeaseTerm)
	defer end()
	err := l.Renew(ctx)
	switch {
	case err == nil && !l.valid(): // the machine slept since
		return ErrLeaseLost
	case err != nil && !errors.Is(err, ErrLeaseLost):
		return fmt.Errorf("%w: %w", ErrLeaseLost, err)
	}
	return err
}

// Leases is what a Lease needs of a database. The errors are those of a DB, and in
// addition *HeldError and ErrLeaseLost. Each call may be repeated after an error.
type Leases interface {
	// TakeLease makes by the holder of the lease at key where it is free, has run out,
	// or is by's already. *HeldError says that another holds it.
	TakeLease(ctx context.Context, table string, key Key, by Holder, now time.Time) (Held, error)
	// ChangeLease makes a change by the holder, in one write. *HeldError says that
	// another has the lease, ErrLeaseLost that nobody has.
	ChangeLease(ctx context.Context, table string, key Key, holder string, c LeaseChange) (Held, error)
}

// Holder is who holds a lease.
type Holder struct {
	ID    string // unlike that of any other holder
	Label string // who that is, for the message to another
}

// Held is a lease after a call.
type Held struct {
	Payload, Mark Item // nil for none
	// Until is the end of the lease; zero where it does not run out, but ends with the
	// holder's process or connection.
	Until time.Time
	Units float64 // consumed; 0 where the database counts none
}

// LeaseChange is a change of a lease by its holder.
type LeaseChange struct {
	Renew   time.Time // the new end of the lease; zero: as it is
	Release bool      // gives the lease back
	Payload *Item     // the new payload, none where it points to nil; nil: as it is
	Mark    Item      // the new mark; nil: as it is
}

// The attributes of a lease's item that a Table shows (ReadLease), each a map.
const (
	LeasePayload = "payload"
	LeaseMark    = "last"
)

// Of is the item of a lease after the change; item is nil where there was none. The item
// of before stays as it is.
func (c LeaseChange) Of(item Item) Item {
	item = maps.Clone(item)
	if item == nil {
		item = Item{}
	}
	switch {
	case c.Payload == nil:
	case *c.Payload == nil:
		delete(item, LeasePayload)
	default:
		item[LeasePayload] = &types.AttributeValueMemberM{Value: *c.Payload}
	}
	if c.Mark != nil {
		item[LeaseMark] = &types.AttributeValueMemberM{Value: c.Mark}
	}
	return item
}

// HeldIn is what the item of a lease holds, without the end of the lease.
func HeldIn(item Item) Held {
	return Held{Payload: Attribute(item, LeasePayload), Mark: Attribute(item, LeaseMark)}
}
