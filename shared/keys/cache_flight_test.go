package keys_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"touchline/shared/keys"
)

// held makes every read wait until it is let go or its context ends.
func (w worker) held() (letGo chan struct{}) {
	letGo = make(chan struct{})
	w.records.before = func(ctx context.Context) error {
		select {
		case <-letGo:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return letGo
}

func TestLookupsAtTheSameTimeShareOneRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker(0)
		id := create(t, w.registry).Key.ID
		letGo := w.held()
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				if _, err := w.Lookup(t.Context(), id); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(letGo)
		all.Wait()
		if n := w.records.reads.Load(); n != 1 {
			t.Fatalf("%d reads, want 1", n)
		}
	})
}

func TestACallerThatLeavesDoesNotEndTheReadOfTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker(0)
		id := create(t, w.registry).Key.ID
		letGo := w.held()
		ctx, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := w.Lookup(ctx, id); !errors.Is(err, keys.ErrUnavailable) || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want ErrUnavailable because of the caller", err)
			}
		})
		synctest.Wait()
		all.Go(func() {
			if _, err := w.Lookup(t.Context(), id); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		leave()
		synctest.Wait()
		close(letGo)
		all.Wait()
		if n := w.records.reads.Load(); n != 1 {
			t.Fatalf("%d reads, want 1", n)
		}
	})
}

// TestAReadBegunBeforeAKeyWasCreatedDoesNotHideIt: a key that works at once must
// not be unknown because its first caller joined an older read.
func TestAReadBegunBeforeAKeyWasCreatedDoesNotHideIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker(0)
		k := fullKey("tk_new")
		k.RevokedAt = nil
		letGo := w.held()
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := w.Lookup(t.Context(), k.ID); !errors.Is(err, keys.ErrUnknown) {
				t.Errorf("the caller before: got %v, want ErrUnknown", err)
			}
		})
		synctest.Wait()
		putSealed(t, w, k)
		all.Go(func() {
			if _, err := w.Lookup(t.Context(), k.ID); err != nil {
				t.Errorf("the caller after: %v", err)
			}
		})
		synctest.Wait()
		close(letGo)
		all.Wait()
	})
}

func TestAStoreThatHangsIsUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker(0)
		w.held()
		began := time.Now()
		if _, err := w.Lookup(t.Context(), "tk_1"); !errors.Is(err, keys.ErrUnavailable) {
			t.Fatalf("got %v, want ErrUnavailable", err)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Fatalf("after %s", took)
		}
	})
}

// TestAWorkerFrozenWhileItReadsReadsAgain: what it held may be hours old.
func TestAWorkerFrozenWhileItReadsReadsAgain(t *testing.T) {
	w := newWorker(0)
	id := create(t, w.registry).Key.ID
	freezes := 1
	w.records.before = func(context.Context) error {
		if freezes > 0 {
			freezes--
			w.clock.move(time.Hour)
		}
		return nil
	}
	w.lookup(t, id, 2)
	w.clock.move(time.Hour)
	freezes = 2
	if _, err := w.Lookup(t.Context(), id); !errors.Is(err, keys.ErrUnavailable) {
		t.Fatalf("got %v, want ErrUnavailable", err)
	}
}

// TestLookupsDuringChanges is for the race detector. It also checks that a
// credential is never a mixture: a valid one has its own one or two secrets.
func TestLookupsDuringChanges(t *testing.T) {
	w := newWorker(3)
	ids := make([]string, 4)
	for i := range ids {
		ids[i] = create(t, w.registry).Key.ID
	}
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() {
			for range 20 {
				_, err := w.registry.Rotate(t.Context(), id)
				_, retired := w.registry.Retire(t.Context(), id, "")
				if err = errors.Join(err, retired); err != nil {
					t.Error(err)
				}
				w.clock.move(keys.CredentialTTL / 3)
			}
			if i == 0 {
				if _, err := w.registry.Revoke(t.Context(), id); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range 200 {
				c, err := w.Lookup(t.Context(), id)
				if errors.Is(err, keys.ErrUnavailable) {
					continue // the clock moves by hours during the read
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := len(c.Secrets()); c.ID != id || c.Valid(start) && n != 1 && n != 2 {
					t.Errorf("credential of %s with %d secrets for %s", c.ID, n, id)
				}
			}
		})
	}
	all.Wait()
	w.clock.move(time.Hour)
	for i, id := range ids {
		c, err := w.Lookup(t.Context(), id)
		if err != nil || c.Valid(start) != (i != 0) {
			t.Fatalf("key %d: valid %t (%v)", i, err == nil && c.Valid(start), err)
		}
	}
}
