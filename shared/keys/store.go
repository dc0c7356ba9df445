package keys

import (
	"context"
	"errors"
)

// Store keeps the records of keys. Any error but the two named is a failure of
// the store, and a failed Put may have been applied.
type Store interface {
	// Get gives the record of that id as last written (no stale reads), or
	// ErrUnknown.
	Get(ctx context.Context, id string) (Key, error)
	// List gives every record, by creation and then id, without sealed secrets.
	List(ctx context.Context) ([]Key, error)
	// Put stores the key in place of the version it was read at (k.Version, 0:
	// there must be none) as the next version, or changes nothing and returns
	// ErrConflict.
	Put(ctx context.Context, k Key) error
}

var (
	// ErrUnknown says that no key has the id.
	ErrUnknown = errors.New("no such key")
	// ErrConflict says that a key changed since it was read.
	ErrConflict = errors.New("the key was changed at the same time")
)
