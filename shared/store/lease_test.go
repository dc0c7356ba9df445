package store_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/store"
)

// desk is a holder of a lease, with a clock of its own.
type desk struct {
	*store.Lease
	now time.Time
}

func newDesk(table *store.Table, name string) *desk {
	d := &desk{now: time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)}
	d.Lease = &store.Lease{
		DB: table.DB.(store.LeaseDB), Table: table.Name, Key: store.Key{PK: "LOAD", SK: "lock"},
		Holder: name, Label: name, Now: func() time.Time { return d.now }, Meter: table.Meter,
	}
	return d
}

// takes takes the lease and returns the payload.
func (d *desk) takes(t *testing.T) string {
	t.Helper()
	payload, err := d.Take(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", d.Holder, err)
	}
	return textOf(payload)
}

func held(err error) bool { return errors.As(err, new(*store.HeldError)) }

func TestALeaseIsOnes(t *testing.T) {
	table := newTable(t)
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

func TestALeaseThatRanOutMayBeTaken(t *testing.T) {
	table := newTable(t)
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
func TestThePayloadIsTheHolders(t *testing.T) {
	table := newTable(t)
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
func TestAMarkStays(t *testing.T) {
	table := newTable(t)
	a, b := newDesk(table, "a"), newDesk(table, "b")
	a.takes(t)
	if a.Mark() != nil {
		t.Errorf("of a new lease: %v", a.Mark())
	}
	if err := a.Put(t.Context(), text("payload")); err != nil {
		t.Fatal(err)
	}
	if err := a.End(t.Context(), text("one")); err != nil {
		t.Fatal(err)
	}
	b.takes(t)
	if got := b.Mark(); !reflect.DeepEqual(got, text("one")) {
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

func TestAGuardedTableTakesNoWriteOnceTheLeaseIsLost(t *testing.T) {
	table := newTable(t)
	a, b := newDesk(table, "a"), newDesk(table, "b")
	guarded := &store.Table{DB: a.Guard(table.DB), Name: table.Name}
	writes := func() error {
		return guarded.Write(t.Context(), []store.Write{{Key: store.Key{PK: "1", SK: "1"}, Item: text("x")}})
	}
	if err := writes(); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("before the lease is taken: %v", err)
	}
	a.takes(t)
	renewals := &renewing{LeaseDB: a.DB}
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
	renewals.fault = errors.New("out of reach")
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

// renewing counts the changes of a lease, and refuses them with a fault.
type renewing struct {
	store.LeaseDB
	calls int
	fault error
}

func (r *renewing) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if r.calls++; r.fault != nil {
		return nil, r.fault
	}
	return r.LeaseDB.UpdateItem(ctx, in, options...)
}

// A machine may sleep between two attempts of one call, and another load begin.
func TestAnAttemptAfterTheLossOfTheLeaseIsNotSent(t *testing.T) {
	table := newTable(t)
	a, b := newDesk(table, "a"), newDesk(table, "b")
	a.takes(t)
	attempts := 0
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		attempts++
		a.now = a.now.Add(time.Minute)
		b.now = a.now
		b.takes(t)
		w.WriteHeader(http.StatusInternalServerError)
	}))
	defer busy.Close()
	client, err := store.NewClient(t.Context(), store.Settings{Endpoint: busy.URL})
	if err != nil {
		t.Fatal(err)
	}
	for name, db := range map[string]store.SDK{"plain": client, "atomic": store.Atomic{Transactor: client}} {
		a.now = a.now.Add(time.Minute)
		a.takes(t)
		attempts = 0
		guarded := &store.Table{DB: a.Guard(db), Name: table.Name}
		err = guarded.Write(context.Background(), []store.Write{{Key: store.Key{PK: "1", SK: "1"}, Item: text("x")}})
		if !errors.Is(err, store.ErrLeaseLost) || attempts != 1 {
			t.Errorf("%s: %d attempts, %v", name, attempts, err)
		}
	}
}

var _ store.LeaseDB = (*dynamodb.Client)(nil)
