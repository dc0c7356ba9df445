package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	bolt "go.etcd.io/bbolt"

	"touchline/shared/limits"
	"touchline/shared/store"
)

// op names an operation.
type op string

const (
	opGet, opQuery, opScan, opWrite op = "get", "query", "scan", "write"
	opSwap, opTake, opLease         op = "swap", "take", "lease"
	opBackup, opCheck, opWipe       op = "backup", "check", "wipe"
)

// Call is an operation with what it takes, as it goes through a socket.
type Call struct {
	Op      op
	Table   string
	Keys    []store.Key
	Query   store.Query
	After   store.Key
	Changes []change
	Version int // opSwap: that of the item that is to be there; 0: none; keys.Unread: any
	Quota   limits.Quota
	Lease   leaseCall
}

// Answer is the result of a Call.
type Answer struct {
	Records  []record
	More     bool
	Swapped  bool
	Decision limits.Decision
	Report   Report
	Path     string // of a backup
	Fault    *fault
}

// run does a call for owner, to whom leases belong.
func (f *File) run(ctx context.Context, c *Call, owner any) (a *Answer, err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err := c.wellFormed(); err != nil {
		return nil, err
	}
	a = &Answer{}
	switch c.Op {
	case opGet:
		a.Records, err = f.get(c.Table, c.Keys)
	case opQuery:
		a.Records, a.More, err = f.page(c.Table, rowsOf(c.Query, c.After))
	case opScan:
		a.Records, a.More, err = f.page(c.Table, rows{from: next(rowOf(c.After))})
	case opWrite:
		err = f.update(ctx, func(*bolt.Tx) ([]change, error) { return c.Changes, nil })
	case opSwap:
		a.Swapped, a.Records, err = f.swap(ctx, c.Changes[0], c.Version)
	case opTake:
		a.Decision, err = f.take(ctx, c.Quota)
	case opLease:
		err = f.lease(ctx, leaseKey{c.Table, c.Keys[0]}, c.Lease, c.Changes, owner)
	case opBackup:
		a.Path, a.Report, err = f.backup(ctx)
	case opCheck:
		a.Report, err = f.check(ctx)
	case opWipe:
		err = f.wipe(ctx)
	default:
		err = fmt.Errorf("no operation %q", c.Op)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// wellFormed refuses a call that this package does not make: another program may be at the
// other end of the socket.
func (c *Call) wellFormed() error {
	changes := map[op][2]int{opWrite: {0, largestWrite}, opSwap: {1, 1}, opLease: {0, 1}}[c.Op]
	ok := len(c.Changes) >= changes[0] && len(c.Changes) <= changes[1] && len(c.Keys) <= largestGet && (c.Op != opLease || len(c.Keys) == 1)
	for _, change := range c.Changes {
		key, err := keyOf(change.Row)
		ok = ok && err == nil && bounded(key) == nil && change.Table != "" && len(change.Table)+len(change.Payload) <= 2*maxItem
	}
	if !ok {
		return fmt.Errorf("a malformed call of %q", c.Op)
	}
	return nil
}

// named are the errors that a caller asks for. Their place in the list is how they go
// through a socket.
var named = []error{store.ErrLeaseLost, ErrClosed, ErrDamaged, fs.ErrExist, fs.ErrNotExist, fs.ErrPermission, syscall.ENOSPC, ErrReadOnly}

// fault is an error on its way through a socket.
type fault struct {
	Text  string
	Named []int // places in named that it is
	Held  *store.HeldError
}

func faultOf(err error) *fault {
	f := &fault{Text: err.Error()}
	for i, is := range named {
		if errors.Is(err, is) {
			f.Named = append(f.Named, i)
		}
	}
	f.Held, _ = errors.AsType[*store.HeldError](err)
	return f
}

// Error is the text of the error at the other end.
func (f *fault) Error() string { return f.Text }

// Unwrap gives what the error is.
func (f *fault) Unwrap() (is []error) {
	if f.Held != nil {
		is = append(is, f.Held)
	}
	for _, i := range f.Named {
		is = append(is, named[i])
	}
	return is
}
