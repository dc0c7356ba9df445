package file

import (
	"errors"
	"testing"
	"time"

	"touchline/shared/store"
)

func lock() store.Key { return store.Key{PK: "load", SK: "lock"} }

func takeLease(d *Database, t *testing.T, id string) (store.Held, error) {
	return d.TakeLease(t.Context(), "sports", lock(), store.Holder{ID: id, Label: "load " + id}, time.Now())
}

func TestALeaseIsOneHoldersAndKeepsItsPayload(t *testing.T) {
	ways(t, func(t *testing.T, d *Database) {
		change := func(id string, c store.LeaseChange) error {
			_, err := d.ChangeLease(t.Context(), "sports", lock(), id, c)
			return err
		}
		if err := change("a", store.LeaseChange{Renew: time.Now()}); !errors.Is(err, store.ErrLeaseLost) {
			t.Errorf("a lease that nobody has: %v, want ErrLeaseLost", err)
		}
		if held, err := takeLease(d, t, "a"); err != nil || held.Payload != nil || held.Mark != nil || !held.Until.IsZero() {
			t.Fatalf("%+v, %v; want a lease of nothing without an end", held, err)
		}
		other, err := takeLease(d, t, "b")
		if held, ok := errors.AsType[*store.HeldError](err); !ok || held.Label != "load a" {
			t.Errorf("%v, %v; want a HeldError that names a", other, err)
		}
		payload, mark, none := store.Item{"x": text("payload")}, store.Item{"x": text("mark")}, store.Item(nil)
		if err := errors.Join(
			change("a", store.LeaseChange{Payload: &payload}),
			change("a", store.LeaseChange{Mark: mark}),
			change("a", store.LeaseChange{Renew: time.Now().Add(time.Hour)}),
		); err != nil {
			t.Fatal(err)
		}
		if err := change("b", store.LeaseChange{Payload: &none, Release: true}); !errors.As(err, new(*store.HeldError)) {
			t.Errorf("a change by another: %v, want a HeldError", err)
		}
		if held, err := takeLease(d, t, "a"); err != nil || textIn(held.Payload, "x") != "payload" || textIn(held.Mark, "x") != "mark" {
			t.Errorf("taken again: %+v, %v", held, err)
		}
		if err := change("a", store.LeaseChange{Release: true}); err != nil {
			t.Fatal(err)
		}
		if err := change("a", store.LeaseChange{Release: true}); !errors.Is(err, store.ErrLeaseLost) {
			t.Errorf("given back twice: %v, want ErrLeaseLost", err)
		}
		if held, err := takeLease(d, t, "b"); err != nil || textIn(held.Payload, "x") != "payload" {
			t.Errorf("by the next: %+v, %v; want the payload", held, err)
		}
		if err := change("b", store.LeaseChange{Payload: &none, Release: true}); err != nil {
			t.Fatal(err)
		}
		if held, err := takeLease(d, t, "c"); err != nil || held.Payload != nil || textIn(held.Mark, "x") != "mark" {
			t.Errorf("after the end of a load: %+v, %v; want the mark alone", held, err)
		}
	})
}

func TestALeaseEndsWithItsConnection(t *testing.T) {
	f := openIn(t, folder(t))
	first, second := dial(t, f), dial(t, f)
	if _, err := takeLease(first, t, "a"); err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Database{second, &f.Database} {
		if _, err := takeLease(d, t, "a"); !errors.As(err, new(*store.HeldError)) {
			t.Errorf("%v: even under the same name it is another's", err)
		}
	}
	_ = first.Close()
	for { // until the other end has seen it
		if _, err := takeLease(second, t, "b"); err == nil {
			break
		} else if !errors.As(err, new(*store.HeldError)) {
			t.Fatal(err)
		}
	}
	if _, err := takeLease(first, t, "a"); !errors.Is(err, ErrClosed) {
		t.Errorf("%v, want ErrClosed", err)
	}
}
