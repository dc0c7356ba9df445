package keys_test

import (
	"context"
	"errors"

	"touchline/shared/keys"
)

// fault is what happens to a put besides the error that its caller gets.
type fault struct {
	applied bool
	answer  error
}

// faulty is a store whose next put meets a fault.
type faulty struct {
	keys.Store
	next *fault
	puts int
}

func (f *faulty) Put(ctx context.Context, k keys.Key) error {
	f.puts++
	if f.next == nil {
		return f.Store.Put(ctx, k)
	}
	met := *f.next
	f.next = nil
	if met.applied {
		if err := f.Store.Put(ctx, k); err != nil {
			return err
		}
	}
	return met.answer
}

var errBroken = errors.New("connection reset by peer")

// contended is a store in which another change always comes first.
type contended struct {
	keys.Store
	puts int
}

func (c *contended) Put(context.Context, keys.Key) error {
	c.puts++
	return keys.ErrConflict
}

// intruded applies the first put, lets other changes happen, and reports the put
// as refused.
type intruded struct {
	keys.Store
	after func()
}

func (s *intruded) Put(ctx context.Context, k keys.Key) error {
	err := s.Store.Put(ctx, k)
	if s.after == nil || err != nil {
		return err
	}
	after := s.after
	s.after = nil
	after()
	return keys.ErrConflict
}

// brokenSealer neither seals nor opens.
type brokenSealer struct{}

func (brokenSealer) Seal(context.Context, string, []byte) ([]byte, error) { return nil, errBroken }
func (brokenSealer) Open(context.Context, string, []byte) ([]byte, error) { return nil, errBroken }
