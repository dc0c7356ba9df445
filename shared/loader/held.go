package loader

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/spool"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// held is the lease of a load, which is renewed until it ends.
type held struct {
	*commit.Held
	loader *Loader // with the Table of Held
	stop   func()  // ends the renewals; it may be called twice
	ended  bool    // the lease is given back
}

// lock takes the lease, waiting for another load as long as Patience says, and
// renews it until it is freed. Losing it ends the context.
func (l *Loader) lock(ctx context.Context) (context.Context, *held, error) {
	wait := l.Wait
	if wait == nil {
		wait = sleep
	}
	const pause = 250 * time.Millisecond
	taken, err := commit.Take(ctx, l.Table, l.Lease)
	for waited := time.Duration(0); err != nil; waited += pause {
		var other *store.HeldError
		if !errors.As(err, &other) || waited >= l.Patience {
			return nil, nil, err
		}
		l.say("waiting for another load ("+other.Label+")", 0, 0)
		if err := wait(ctx, pause); err != nil {
			return nil, nil, err
		}
		taken, err = commit.Take(ctx, l.Table, l.Lease)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		l.renew(ctx, cancel)
	}()
	own := *l
	own.Table = taken.Table
	return ctx, &held{Held: taken, loader: &own, stop: func() { cancel(nil); <-stopped }}, nil
}

// Hold does something under the lease; number is that of the last load. The table refuses
// writes once the lease may have run out. Where a load was interrupted Hold refuses, as
// StateOf does.
func (l *Loader) Hold(ctx context.Context, do func(ctx context.Context, table *store.Table, number int) error) error {
	ctx, held, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer held.free()
	if err := unfinished(held.Head, nil); err != nil {
		return err
	}
	return do(ctx, held.Table, held.Mark.Number)
}

// renew renews the lease until ctx ends, and cancels ctx if the lease is lost.
// A renewal that DynamoDB does not complete in time (it may be busy with the
// load itself) is given up and tried again with more time, for a minute or so: a
// lease that has run out may be renewed until another load takes it.
func (l *Loader) renew(ctx context.Context, cancel context.CancelCauseFunc) {
	const (
		pause    = store.LeaseTerm / 4
		longest  = 8 * pause // try
		patience = time.Minute
	)
	renewed, limit := time.Now(), pause
	for sleep(ctx, pause) == nil {
		try, end := context.WithTimeout(ctx, limit)
		err := l.Lease.Renew(try)
		end()
		lost := errors.As(err, new(*store.HeldError)) || errors.Is(err, store.ErrLeaseLost)
		switch limit = min(2*limit, longest); {
		case err == nil:
			renewed, limit = time.Now(), pause
		case ctx.Err() == nil && (lost || time.Since(renewed) > patience):
			cancel(fmt.Errorf("lost the right to load: %w", err))
		}
	}
}

// free gives the lease back. A load whose journal is complete is left to the
// next one.
func (h *held) free() {
	if !h.ended {
		h.stop()
		h.Free()
	}
}

// finish ends the load that was interrupted after its journal was complete, if
// there is one.
func (h *held) finish(ctx context.Context) error {
	head, l := h.Head, h.loader
	if head == nil {
		return nil
	}
	if _, err := l.checkLayout(ctx); err != nil {
		return err
	}
	l.say("finishing an interrupted load", 0, 0)
	changes := spool.New(ctx, l.inMemory)
	defer changes.Close()
	writes := commit.Source(changes)
	if !head.Empty {
		writes = head.JournalWrites(ctx, h.Table)
	} else if err := h.computeAgain(ctx, changes); err != nil {
		return &BegunError{Err: err}
	}
	mark, err := h.complete(ctx, writes, true)
	if err != nil {
		return err
	}
	h.Head = nil
	if err := h.Lease.Complete(ctx, mark); err != nil {
		return &BegunError{Err: err}
	}
	if head.Erases { // its journal says what was erased
		return erasure.Scrub(ctx, h.Table, h.Mark, nil)
	}
	return nil
}

// computeAgain finds the writes of a first load: before it there was nothing,
// whatever it has written since.
func (h *held) computeAgain(ctx context.Context, changes *spool.Spool) error {
	files, err := h.Head.JournalRecords(ctx, h.Table)
	if err != nil {
		return err
	}
	set, err := dataset.Read(ctx, files, dataset.Options{LineLimit: commit.LineLimit})
	if err != nil {
		return fmt.Errorf("read the journal of an interrupted load: %w", err)
	}
	r := newRun(h.loader, true, changes)
	if _, err := r.view(ctx, set, &dataset.Part{}); err != nil {
		return err
	}
	return r.compute(ctx, set)
}

// load loads a dataset; it is the last thing that is done under the lease.
func (h *held) load(ctx context.Context, source source, opts Options) (*Report, error) {
	l := h.loader
	changes := spool.New(ctx, l.inMemory)
	defer changes.Close()
	r, report, err := plan(ctx, l, source, opts, changes)
	if err == nil && l.Confirm != nil && opts.undoes == nil && report.Takes() {
		err = l.Confirm(ctx, report)
	}
	if err == nil && r.erasure != nil {
		err = erasure.Scrub(ctx, h.Table, h.Mark, r.erasure)
	}
	if err != nil {
		return nil, err
	}
	if report.Entries == 0 {
		return report, nil
	}
	head := &commit.Head{ID: rand.Text(), Empty: r.empty, Label: opts.Label, Report: report, Erases: r.erasure != nil}
	h.Head = head
	writes := commit.Source(changes)
	if r.empty {
		err = head.KeepRecords(ctx, h.Table, r.changes.Journal)
	} else {
		err = head.KeepWrites(ctx, h.Table, changes)
		writes = head.JournalWrites(ctx, h.Table)
	}
	if err == nil {
		err = r.enter(ctx, h, opts)
	}
	if err == nil && r.empty {
		_, err = generation.Begin(ctx, h.Table)
	}
	if err != nil {
		return nil, err
	}
	if err := head.Write(ctx, h.Lease); err != nil {
		return nil, &BegunError{Err: err} // it may have been applied
	}
	mark, err := h.complete(ctx, writes, false)
	if err == nil && r.erasure != nil { // once more, for its own journal
		if err = h.Lease.Complete(ctx, mark); err == nil {
			err = erasure.Scrub(ctx, h.Table, h.Mark, r.erasure)
		}
	}
	if err != nil {
		return report, err
	}
	h.stop()
	if err := h.Lease.End(context.WithoutCancel(ctx), mark); err != nil {
		return report, &BegunError{Err: err}
	}
	h.ended = true
	return report, nil
}

// complete finishes the load of Head, whose journal is complete. It leaves the payload of
// the lease to be cleared, and returns the mark to set with that. Again says that
// another run has begun to write.
func (h *held) complete(ctx context.Context, writes commit.Source, again bool) (mark store.Item, err error) {
	defer func() {
		if err != nil {
			err = &BegunError{Err: err}
		}
	}()
	if err := h.make(ctx, writes, again); err != nil {
		return nil, err
	}
	if h.loader.Finished != nil {
		if err := h.loader.Finished(ctx, h.Head.Label, h.Head.Report); err != nil {
			return nil, err
		}
	}
	if h.Head.Erases && h.loader.Erased != nil {
		h.loader.Erased(ctx)
	}
	return h.Clear(ctx, false)
}

// make makes writes, of the load of Head or where that is nil of none, and raises the
// version of the data.
func (h *held) make(ctx context.Context, writes commit.Source, again bool) error {
	state, err := generation.Begin(ctx, h.Table)
	if err != nil {
		return err
	}
	w, number := h.loader.writer(again), 0
	if h.Head != nil {
		w.Fresh, w.Made, w.Note, number = h.Head.Empty, h.Head.Made, h.Note, h.Head.Number
	}
	if err := w.Write(ctx, writes); err != nil {
		return err
	}
	return state.End(ctx, number, h.Lease.Now())
}

// writer makes writes in the table of the loader.
func (l *Loader) writer(again bool) *commit.Writer {
	return &commit.Writer{
		Table: l.Table, Lists: diff.NewLists(diff.NewCollation(), nil).All(), Again: again, Portion: l.portion,
		Progress: func(done, all int) { l.say("writing", done, all) },
	}
}

// BegunError is the error of a load that ended early, after it had begun to
// change the table: the next load finishes it.
type BegunError struct{ Err error }

// Error is the reason.
func (e *BegunError) Error() string { return e.Err.Error() }

// Unwrap is the reason.
func (e *BegunError) Unwrap() error { return e.Err }
