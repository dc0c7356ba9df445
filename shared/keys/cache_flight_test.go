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
