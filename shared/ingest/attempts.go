package ingest

import (
	"context"
	"errors"

	"touchline/shared/loader/commit"
	"touchline/shared/stack"
)

// Attempts is how many attempts in a row may get no further before a drop is given
// up. With the pauses between them they take three hours at least.
const Attempts = 20

// Attempted counts the attempts at a drop. It is kept in Progress, and written
// under the lease of the load, before anything that may end the process.
type Attempted struct {
	Ready Version `json:"ready"` // the _READY that was loaded
	// Count is how many attempts there were since the load last got further, the
	// present one included.
	Count   int    `json:"count"`
	Journal string `json:"journal,omitempty"` // of the load that was interrupted
	Reached string `json:"reached,omitempty"` // up to where that was written
}

// next counts another attempt, at the drop with a label. It finds an interrupted
// load at a position.
func (a Attempted) next(ready Version, label string, at commit.Position) Attempted {
	n := Attempted{Ready: ready, Count: 1, Journal: at.Journal, Reached: at.Reached}
	if a.Ready.Is(ready) && !a.further(label, at) {
		n.Count += a.Count
	}
	return n
}

// further reports whether the attempt has got further: it has begun to write the
// load of the drop, or has written more of an interrupted load, which may be
// another's that has to be finished first. That loads of others begin and end says
// nothing about this one.
func (a Attempted) further(label string, at commit.Position) bool {
	if at.Journal == a.Journal {
		return at.Reached != a.Reached
	}
	return at.Journal != "" && at.Label == label
}

// errEnded is the error of a drop whose last attempt ended with its process.
var errEnded = errors.New("the function ended: the dataset may need more memory or time than it has")

const lastMessage = "the last attempt did not end: the dataset may need more memory or time than the function has"

// another counts another attempt at a drop, which finds an interrupted load at a position.
func (w *Worker) another(ctx context.Context, v *visit, at commit.Position) error {
	var a Attempted
	before, err := ReadProgress(ctx, w.Objects, v.Drop)
	if err != nil && !errors.Is(err, errForeign) {
		return err
	}
	if before != nil {
		a = before.Attempts
	}
	v.attempts = a.next(v.ready.Version, v.label(), at)
	return nil
}

// count counts an attempt that begins. Before the last one it writes the report, in
// case the process ends.
func (w *Worker) count(ctx context.Context, v *visit, t *reporter, at commit.Position) error {
	if err := w.another(ctx, v, at); err != nil {
		return err
	}
	if v.attempts.Count > Attempts {
		return errEnded
	}
	if v.attempts.Count == Attempts {
		if err := w.write(ctx, v.Drop, v.ready.Version, &Report{Status: Failed, Message: lastMessage, Trying: true}); err != nil {
			return err
		}
	}
	return t.begin(ctx, v.attempts)
}

// last reports whether an attempt that has failed was the last: that is so unless
// it has got further. If that is unknown now, the next attempt finds out.
func (w *Worker) last(ctx context.Context, v *visit) bool {
	a := v.attempts
	if a.Count < Attempts {
		return false
	}
	if a.Count > Attempts {
		return true
	}
	head, err := commit.ReadHead(ctx, w.Table)
	if err != nil {
		return false
	}
	at, err := head.Position(ctx, w.Table)
	return err == nil && !a.further(v.label(), at)
}

// forget starts the count again, in case the message is sent by hand.
func (w *Worker) forget(ctx context.Context, d Drop) error {
	return writeAnswer(ctx, w.Objects, d, stack.DropProgress, Progress{What: "given up", At: w.Now()})
}
