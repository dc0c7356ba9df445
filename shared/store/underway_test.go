package store_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"touchline/shared/store"
)

// slow is a database whose writes are answered, or fail, when the test says so.
type slow struct {
	store.DB
	calls   atomic.Int64
	answers chan error
}

func (s *slow) Bounds() store.Bounds { return store.Bounds{Write: 25} }

func (s *slow) Write(ctx context.Context, _ string, _ []store.Write) (store.Reply, error) {
	s.calls.Add(1)
	select {
	case err := <-s.answers:
		return store.Reply{}, err
	case <-ctx.Done():
		return store.Reply{}, ctx.Err()
	}
}

// A write that is cut off may still be made, after the load that gave it up has
// let another begin.
func TestAWriteThatIsUnderWayIsNotCutOff(t *testing.T) {
	broken, stopped := errors.New("broken"), errors.New("stopped")
	for name, end := range map[string]struct {
		by   func(cancel context.CancelCauseFunc, s *slow)
		want error
	}{
		"another fails": {func(_ context.CancelCauseFunc, s *slow) { s.answers <- broken }, broken},
		"the context ends": {func(cancel context.CancelCauseFunc, s *slow) {
			cancel(stopped)
			s.answers <- nil
		}, stopped},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				s := &slow{answers: make(chan error)}
				table := &store.Table{DB: s, Name: "Things", Parallel: 2}
				done := make(chan error, 1)
				go func() { done <- table.Write(ctx, puts(keys(100), "")) }()
				synctest.Wait() // two calls of four are under way
				end.by(cancel, s)
				synctest.Wait()
				select {
				case err := <-done:
					t.Fatalf("Write left a call under way: %v", err)
				default:
				}
				s.answers <- nil
				if err := <-done; !errors.Is(err, end.want) {
					t.Errorf("got %v, want %v", err, end.want)
				}
				if n := s.calls.Load(); n != 2 {
					t.Errorf("%d calls, want no more than the two", n)
				}
			})
		})
	}
}
