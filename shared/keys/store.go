package keys

import (
	"context"
	"errors"
)

// Store keeps the records of keys. Any error other than ErrUnknown and
// ErrConflict is a failure of the store; a Put that failed may have been
// applied.
type Store interface {
	// Get returns the record with that id as last written (no stale reads), or
	// ErrUnknown.
	Get(ctx context.Context, id string) (Key, error)
	// List returns every record without its sealed secrets, by creation and then
	// id.
	List(ctx context.Context) ([]Key, error)
	// Put stores the key as the next version, if the stored version is still the
	// one that was read (k.Version; 0: there must be none). Otherwise it changes
	// nothing and returns ErrConflict.
	Put(ctx context.Context, k Key) error
}

var (
	// ErrUnknown says that there is no key with the id.
	ErrUnknown = errors.New("no such key")
	// ErrConflict says that a key has changed since it was read.
	ErrConflict = errors.New("the key was changed at the same time")
)
