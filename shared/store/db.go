package store

import (
	"context"
	"errors"
)

// DB is a database with tables of items, a call at a time. Table builds on it what
// callers use. A call is made whole, in part where its Reply says so, or fails; after
// an error it may have been made, now or a moment later. A DB repeats nothing by
// itself (Table does), keeps no slice and no item of a call, and is safe for
// concurrent use.
//
// Errors are, or wrap: ErrNoTable; ErrThrottled; *TransientError. All others are final.
type DB interface {
	// Get reads the items at keys, at most Bounds().Get; none repeats. Keys without
	// an item have none in Items, whose order is not said.
	Get(ctx context.Context, table string, keys []Key, consistent bool) (Reply, error)
	// Query reads a page of the items that q names, from those after the key `after`; the
	// zero key is before the first.
	Query(ctx context.Context, table string, q Query, after Key) (Reply, error)
	// Scan reads a page of all items, consistently, in an order of the database's,
	// from those after the key `after`.
	Scan(ctx context.Context, table string, after Key) (Reply, error)
	// Write makes the writes, at most Bounds().Write; no key repeats. Items have their
	// key attributes.
	Write(ctx context.Context, table string, writes []Write) (Reply, error)
	// Bounds are those of one call.
	Bounds() Bounds
}

// Bounds are what a DB takes.
type Bounds struct {
	Get   int // keys of a Get
	Write int // writes of a Write
	Calls int // bulk calls that are worth making at once
}

// Reply is the outcome of a call.
type Reply struct {
	Items []Item  // read, with their key attributes
	Left  []Key   // of Get or Write: not got to, so that they are to be asked for again
	Next  Key     // of Query or Scan: go on after it; zero after the last page
	Units float64 // consumed; 0 where the database counts none
}

// The errors of a DB that have a name.
var (
	// ErrNoTable is the error where the table does not exist.
	ErrNoTable = errors.New("table does not exist")
	// ErrThrottled refuses a call for the rate of calls. Nothing of it was made. A
	// Table repeats it until its context ends.
	ErrThrottled = errors.New("too many requests for the table")
)

// TransientError is a failure that passes: a lost connection, a response that broke
// off, a server's error. The call may have been made. A Table makes it four times at
// most.
type TransientError struct{ Err error }

// Error is that of the cause.
func (e *TransientError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *TransientError) Unwrap() error { return e.Err }
