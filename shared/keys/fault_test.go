package keys_test

import (
	"context"
	"errors"

	"touchline/shared/keys"
)

// faulty is a store whose next put is another one.
type faulty struct {
	keys.Store
	next func(context.Context, keys.Key) error // nil: the store's
	puts int
}

func (f *faulty) Put(ctx context.Context, k keys.Key) error {
	f.puts++
	put := f.next
	if put == nil {
		return f.Store.Put(ctx, k)
	}
	f.next = nil
	return put(ctx, k)
}

// meets has the next put answer with an error, applied or not.
func (f *faulty) meets(applied bool, answer error) {
	f.next = func(ctx context.Context, k keys.Key) error {
		if applied {
			if err := f.Store.Put(ctx, k); err != nil {
				return err
			}
		}
		return answer
	}
}

var errBroken = errors.New("connection reset by peer")

// brokenSealer neither seals nor opens.
type brokenSealer struct{}

func (brokenSealer) Seal(context.Context, string, []byte) ([]byte, error) { return nil, errBroken }
func (brokenSealer) Open(context.Context, string, []byte) ([]byte, error) { return nil, errBroken }
