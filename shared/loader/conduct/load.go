package conduct

import (
	"context"
	"errors"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/commit"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// Load is a load that is conducted, as one execution of it sees it.
type Load struct {
	ID     string // unlike that of any other load
	Number int    // of the execution, from 1
	Table  *store.Table
	// NewLease makes a lease of the table, each for a new holder.
	NewLease func() *store.Lease
	Folder   Folder

	// TooLarge is asked, before a part is written, about the largest: how many records it is
	// computed from, and of which competition most of them are (nil: of none). It returns
	// the faults of a part that cannot be projected, else nil. It is nil where none is too
	// large.
	TooLarge func(records int, of *dataset.Record[sport.Competition]) *dataset.Faults

	// Sizes are as usual where they are 0.
	PartRecords   int         // records of a part, at least
	BucketRecords int         // records of the dataset for each bucket
	Run           int         // records that are sorted in memory
	Pace          commit.Pace // of a merge
}

// StoppedError is the error of a step whose load was given up or is finished, or of
// which another execution was begun. It does nothing, whenever it is repeated.
type StoppedError struct{ Reason string }

// Error is the reason.
func (e *StoppedError) Error() string { return e.Reason }

// BusyError is the error of a step that has to wait for another. It may be repeated.
type BusyError struct{ Err error }

// Error is the reason.
func (e *BusyError) Error() string { return e.Err.Error() }

// Unwrap is the reason.
func (e *BusyError) Unwrap() error { return e.Err }

// RefusedError is the error of a step that cannot go on, whenever it is repeated.
type RefusedError struct{ Reason string }

// Error is the reason.
func (e *RefusedError) Error() string { return e.Reason }

// Head reads the head of the load that is conducted; nil for none.
func Head(ctx context.Context, table *store.Table) (*commit.Head, error) {
	head, err := commit.ReadHead(ctx, table)
	if err != nil || head == nil || head.Conducted == nil {
		return nil, err
	}
	return head, nil
}

// Held is the table of loads under its lease.
type Held struct{ *commit.Held }

// Hold takes the lease of the table and gives it back after do. *BusyError says that
// another load is running.
func Hold(ctx context.Context, table *store.Table, lease *store.Lease, do func(*Held) error) error {
	h, err := commit.Take(ctx, table, lease)
	if err != nil {
		return busy(err)
	}
	defer h.Free()
	return do(&Held{h})
}

// Begin begins a load under the lease of an empty table: the table then says that it is
// conducted, by the first execution. It reports false where the table holds something or
// a load was interrupted. The task is kept in the head (commit.Conducted).
func (h *Held) Begin(ctx context.Context, id, label, task, execution string) (bool, error) {
	empty, err := loader.Empty(ctx, h.Table)
	if err != nil || !empty || h.Head != nil {
		return false, err
	}
	h.Head = &commit.Head{
		ID: id, Label: label, Empty: true, Report: &loader.Report{},
		Conducted: &commit.Conducted{Execution: execution, Number: 1, Task: task},
	}
	return true, h.Head.Write(ctx, h.Lease)
}

// Again begins another execution of the load, once the last one has ended.
func (h *Held) Again(ctx context.Context, execution string) error {
	c := h.Head.Conducted
	c.Number++
	c.Execution = execution
	return h.Head.Write(ctx, h.Lease)
}

// Abandon gives the load up, which keeps what it has written. *BusyError says that a
// step still writes.
func (h *Held) Abandon(ctx context.Context) error {
	return busy(h.Held.Abandon(ctx))
}

func busy(err error) error {
	if errors.As(err, new(*store.HeldError)) {
		return &BusyError{err}
	}
	return err
}

// mine checks that the head is that of the load, and the execution the last one.
func (l *Load) mine(head *commit.Head) (*commit.Head, error) {
	switch {
	case head == nil || head.Conducted == nil || head.ID != l.ID:
		return nil, &StoppedError{"the load is not there any more: it is finished, or was given up"}
	case head.Conducted.Number != l.Number:
		return nil, &StoppedError{fmt.Sprintf("execution %d of the load was begun after this one, %d", head.Conducted.Number, l.Number)}
	case head.Conducted.Stopped:
		return nil, &StoppedError{"the load is being given up"}
	}
	return head, nil
}

// head reads the head of the load.
func (l *Load) head(ctx context.Context) (*commit.Head, error) {
	head, err := commit.ReadHead(ctx, l.Table)
	if err != nil {
		return nil, err
	}
	return l.mine(head)
}

// Check checks that there is something to do for the execution: *StoppedError says
// that there is not.
func (l *Load) Check(ctx context.Context) error {
	_, err := l.head(ctx)
	return err
}

// Drop ends a load that is not decided: nothing of it is in the table. It calls told
// before the head is removed, and again if it is repeated.
func (l *Load) Drop(ctx context.Context, told func() error) error {
	return l.hold(ctx, func(h *Held) error {
		if h.Head.Conducted.Decided > 0 {
			return &RefusedError{"the load is decided"}
		}
		if err := told(); err != nil {
			return err
		}
		return h.Abandon(ctx)
	})
}

// hold takes the lease of the table for a step.
func (l *Load) hold(ctx context.Context, do func(*Held) error) error {
	return Hold(ctx, l.Table, l.NewLease(), func(h *Held) error {
		if _, err := l.mine(h.Head); err != nil {
			return err
		}
		return do(h)
	})
}

// planned reads the plan of the load; nil: there isn't one.
func (l *Load) planned(ctx context.Context) (*plan, error) {
	p, err := get[plan](ctx, l.Folder, planName)
	if err != nil || p == nil {
		return nil, err
	}
	if p.Format != format || p.Layout != generation.Layout {
		return nil, &RefusedError{"the load was planned by another version: give it up, and load the dataset again"}
	}
	return p, nil
}

// plan reads the plan that must be there.
func (l *Load) plan(ctx context.Context) (*plan, error) {
	p, err := l.planned(ctx)
	if err == nil && p == nil {
		err = &RefusedError{"what was planned is gone: give the load up, and load the dataset again"}
	}
	return p, err
}
