package file

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/store"
)

// SocketName is the name of the socket, in the folder of the file.
const SocketName = "touchline.sock"

// greeting is the first line from who serves the file. The rest, in both directions,
// is gob: calls one way, answers the other in any order.
const greeting = "touchline file 1\n"

// ErrNotServed is the error of Dial where nobody listens.
var ErrNotServed = errors.New("no process serves the data")

// named are the errors that a caller asks for. Their place in the list is how they go
// through a socket.
var named = []error{
	limits.ErrReplayed, keys.ErrUnknown, keys.ErrConflict, store.ErrLeaseLost,
	context.Canceled, context.DeadlineExceeded,
	ErrClosed, ErrDamaged, os.ErrExist, os.ErrNotExist, os.ErrPermission,
}

// fault is an error on its way through a socket.
type fault struct {
	Text      string
	Named     []int // places in named that it is
	Held      *store.HeldError
	RequestID string // of a ReplayedError
}

func faultOf(err error) *fault {
	f := &fault{Text: err.Error()}
	for i, is := range named {
		if errors.Is(err, is) {
			f.Named = append(f.Named, i)
		}
	}
	if held, ok := errors.AsType[*store.HeldError](err); ok {
		f.Held = held
	}
	if replayed, ok := errors.AsType[*limits.ReplayedError](err); ok {
		f.RequestID = replayed.RequestID
	}
	return f
}

// Error is the text of the error at the other end.
func (f *fault) Error() string { return f.Text }

// Unwrap gives what the error is.
func (f *fault) Unwrap() (is []error) {
	if f.Held != nil {
		is = append(is, f.Held)
	}
	if f.RequestID != "" {
		is = append(is, &limits.ReplayedError{RequestID: f.RequestID})
	}
	for _, i := range f.Named {
		if i >= 0 && i < len(named) {
			is = append(is, named[i])
		}
	}
	return is
}

// socketIn is the path of the socket in a folder, from here if that is shorter:
// systems take some 100 bytes.
func socketIn(folder string) string {
	path := filepath.Join(folder, SocketName)
	if here, err := os.Getwd(); err == nil {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		if relative, err := filepath.Rel(here, path); err == nil && len(relative) < len(path) {
			path = relative
		}
	}
	return path
}
