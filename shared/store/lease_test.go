package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"touchline/shared/simulation"
	"touchline/shared/store"
)

// desk is a holder of a lease, with a clock of its own.
type desk struct {
	*store.Lease
	now   time.Time
	found store.Held // when it took the lease
}

func newDesk(table *store.Table, name string) *desk {
	d := &desk{now: time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)}
	d.Lease = &store.Lease{
		DB: table.DB.(store.Leases), Table: table.Name, Key: store.Key{PK: "LOAD", SK: "lock"},
		Holder: name, Label: name, Now: func() time.Time { return d.now }, Meter: table.Meter,
	}
	return d
}

// takes takes the lease and returns the payload.
func (d *desk) takes(t *testing.T) string {
	t.Helper()
	var err error
	if d.found, err = d.Take(t.Context()); err != nil {
		t.Fatalf("%s: %v", d.Holder, err)
	}
	return textOf(d.found.Payload)
}

func held(err error) bool { return errors.As(err, new(*store.HeldError)) }

func aLeaseIsOnes(t *testing.T, table *store.Table) {
	a, b := newDesk(table, "a"), newDesk(table, "b")
	a.takes(t)
	a.takes(t) // as when the first answer was lost
	var other *store.HeldError
	if _, err := b.Take(t.Context()); !errors.As(err, &other) || other.Label != "a" || !other.Until.Equal(a.now.Add(store.LeaseTerm)) {
		t.Errorf("taken while another holds it: %v", err)
	}
	a.now = a.now.Add(store.LeaseTerm / 2)
	if err := a.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(store.LeaseTerm + time.Second)
	if _, err := b.Take(t.Context()); !held(err) {
		t.Errorf("taken while another holds it that has renewed: %v", err)
	}
	if err := a.Free(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.takes(t)
}

func aLeaseThatRanOut(t *testing.T, table *store.Table) {
	a, b := newDesk(table, "a"), newDesk(table, "b")
	a.takes(t)
	b.now = b.now.Add(store.LeaseTerm + time.Millisecond)
	b.takes(t)
	if err := a.Renew(t.Context()); !held(err) {
		t.Errorf("renewed while another holds it: %v", err)
	}
	if err := a.Free(t.Context()); err != nil {
		t.Errorf("freed while another holds it: %v", err)
	}
	if err := b.Renew(t.Context()); err != nil {
		t.Errorf("the other has lost it: %v", err)
	}
	if err := b.Free(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.Renew(t.Context()); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("renewed after another held it: %v", err)
	}
}

// The payload is written and removed by nobody but the holder, and outlives a
// lease that is freed or runs out.
func thePayloadIsTheHolders(t *testing.T, table *store.Table) {
	a, b := newDesk(table, "a"), newDesk(table, "b")
	a.takes(t)
	if err := a.Put(t.Context(), text("of a")); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(store.LeaseTerm + time.Millisecond)
	if got := b.takes(t); got != "of a" {
		t.Errorf("the next holder finds %q", got)
	}
	for what, err := range map[string]error{
		"put": a.Put(t.Context(), text("late")), "removed": a.Put(t.Context(), nil), "ended": a.End(t.Context(), nil),
	} {
		if !held(err) {
			t.Errorf("%s by one who has lost the lease: %v", what, err)
		}
	}
	if err := b.Free(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.Put(t.Context(), text("late")); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("put after another held the lease: %v", err)
	}
	if got := b.takes(t); got != "of a" {
		t.Errorf("after it was freed the payload is %q", got)
	}
	for range 2 { // the answer to the first was lost
		if err := b.End(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if payload, _, err := store.ReadLease(t.Context(), table, a.Key); err != nil || payload != nil {
		t.Errorf("after its end the payload is %v, %v", payload, err)
	}
}

// A mark stays until another takes its place, and is read with the lease.
func aMarkStays(t *testing.T, table *store.Table) {
	a, b := newDesk(table, "a"), newDesk(table, "b")
	a.takes(t)
	if a.found.Mark != nil {
		t.Errorf("of a new lease: %v", a.found.Mark)
	}
	if err := a.Put(t.Context(), text("payload")); err != nil {
		t.Fatal(err)
	}
	if err := a.End(t.Context(), text("one")); err != nil {
		t.Fatal(err)
	}
	b.takes(t)
	if got := b.found.Mark; !reflect.DeepEqual(got, text("one")) {
		t.Errorf("the next holder finds %v", got)
	}
	if err := b.Complete(t.Context(), text("two")); err != nil {
		t.Fatal(err)
	}
	if err := b.End(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if payload, mark, err := store.ReadLease(t.Context(), table, a.Key); err != nil || payload != nil || !reflect.DeepEqual(mark, text("two")) {
		t.Errorf("read %v, %v, %v", payload, mark, err)
	}
}

func guarded(t *testing.T, table *store.Table) {
	a, b := newDesk(table, "a"), newDesk(table, "b")
	guarded := &store.Table{DB: a.Guard(table.DB), Name: table.Name}
	writes := func() error {
		return guarded.Write(t.Context(), []store.Write{{Key: store.Key{PK: "1", SK: "1"}, Item: text("x")}})
	}
	if err := writes(); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("before the lease is taken: %v", err)
	}
	a.takes(t)
	renewals := &renewing{Leases: a.DB}
	a.DB = renewals
	taken := a.now
	a.now = taken.Add(store.LeaseTerm - 2*time.Second - time.Millisecond)
	if err := writes(); err != nil || renewals.calls > 0 {
		t.Errorf("within the lease: %v, %d renewals", err, renewals.calls)
	}
	a.now = taken.Add(store.LeaseTerm - 2*time.Second)
	if err := writes(); err != nil || renewals.calls != 1 {
		t.Errorf("2 s before its end: %v, %d renewals", err, renewals.calls)
	}
	a.now = a.now.Add(time.Minute)
	if err := writes(); err != nil || renewals.calls != 2 {
		t.Errorf("long after it has run out, while nobody has taken it: %v, %d renewals", err, renewals.calls)
	}
	a.now = a.now.Add(time.Minute)
	renewals.then = func() { a.now = a.now.Add(time.Minute) }
	if err := writes(); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("where the machine sleeps once it is renewed: %v", err)
	}
	renewals.then, renewals.fault = nil, errors.New("out of reach")
	a.now = a.now.Add(time.Minute)
	if err := writes(); !errors.Is(err, store.ErrLeaseLost) || !errors.Is(err, renewals.fault) {
		t.Errorf("where it cannot be renewed: %v", err)
	}
	renewals.fault = nil
	b.now = a.now
	b.takes(t)
	if err := writes(); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("while another has it: %v", err)
	}
	if err := b.Free(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := writes(); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("after another had it: %v", err)
	}
	a.takes(t)
	if err := writes(); err != nil {
		t.Errorf("after it was taken again: %v", err)
	}
	if err := a.End(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := writes(); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("after its end: %v", err)
	}
	if err := guarded.Scan(t.Context(), func(store.Item) error { return nil }); err != nil {
		t.Errorf("scan: %v", err)
	}
}

// renewing counts the changes of a lease, refuses them with a fault, and does something then.
type renewing struct {
	store.Leases
	calls int
	fault error
	then  func()
}

func (r *renewing) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (store.Held, error) {
	if r.calls++; r.fault != nil {
		return store.Held{}, r.fault
	}
	if r.then != nil {
		defer r.then()
	}
	return r.Leases.ChangeLease(ctx, table, key, holder, c)
}

func oneOfManyTakers(t *testing.T, table *store.Table) {
	var all sync.WaitGroup
	var taken atomic.Int64
	for i := range 16 {
		all.Go(func() {
			switch _, err := newDesk(table, fmt.Sprint("desk ", i)).Take(t.Context()); {
			case err == nil:
				taken.Add(1)
			case !held(err):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if taken.Load() != 1 {
		t.Errorf("%d have it", taken.Load())
	}
}

// A machine may sleep between two attempts of one call, and another load begin.
func TestAnAttemptAfterTheLossOfTheLeaseIsNotSent(t *testing.T) {
	db := &sleeping{failing: failing{Database: simulation.NewDatabase(), with: &store.TransientError{Err: errors.New("reset")}}}
	table := &store.Table{DB: db.Database, Name: "Things"}
	a, b := newDesk(table, "a"), newDesk(table, "b")
	a.takes(t)
	db.sleep = func() {
		a.now = a.now.Add(time.Minute)
		b.now = a.now
		b.takes(t)
	}
	db.times = 2
	guarded := &store.Table{DB: a.Guard(db), Name: table.Name}
	err := guarded.Write(t.Context(), []store.Write{{Key: store.Key{PK: "1", SK: "1"}, Item: text("x")}})
	if !errors.Is(err, store.ErrLeaseLost) || db.times != 1 {
		t.Errorf("%d attempts, %v", 2-db.times, err)
	}
}

// sleeping is a database whose writes fail while the machine sleeps.
type sleeping struct {
	failing
	sleep func()
}

func (s *sleeping) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	s.sleep()
	return s.failing.Write(ctx, table, writes)
}

// A lease is taken and changed although the answers are lost.
func TestALeasesCallIsMadeAgain(t *testing.T) {
	table := &store.Table{DB: simulation.NewDatabase(), Name: "Things"}
	a := newDesk(table, "a")
	a.DB = &losing{Leases: a.DB}
	a.takes(t)
	if err := a.Put(t.Context(), text("payload")); err != nil {
		t.Fatal(err)
	}
	if err := a.End(t.Context(), text("mark")); err != nil {
		t.Fatal(err)
	}
	if payload, mark, err := store.ReadLease(t.Context(), table, a.Key); err != nil || payload != nil || textOf(mark) != "mark" {
		t.Errorf("read %v, %v, %v", payload, mark, err)
	}
}

// losing makes every call twice, of which the first answer is lost.
type losing struct {
	store.Leases
	answered bool
}

func (l *losing) answer(held store.Held, err error) (store.Held, error) {
	l.answered = !l.answered
	if l.answered && err == nil {
		return store.Held{}, &store.TransientError{Err: errors.New("reset")}
	}
	return held, err
}

func (l *losing) TakeLease(ctx context.Context, table string, key store.Key, by store.Holder, now time.Time) (store.Held, error) {
	return l.answer(l.Leases.TakeLease(ctx, table, key, by, now))
}

func (l *losing) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (store.Held, error) {
	return l.answer(l.Leases.ChangeLease(ctx, table, key, holder, c))
}
