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
	"touchline/shared/loader/history"
	"touchline/shared/loader/spool"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// held is a Loader that holds the lease. Its Table refuses writes once the
// lease may have run out.
type held struct {
	Loader
	unfinished *commit.Head // of a load that was interrupted; nil if there isn't one
	mark       history.Mark // of the last load that ended
	stop       func()       // ends the renewals; it may be called twice
	ended      bool         // the lease is given back
}

// lock takes the lease, waiting for another load as long as Patience says, and
// renews it until it is freed. Losing it ends the context.
func (l *Loader) lock(ctx context.Context) (context.Context, *held, error) {
	wait := l.Wait
	if wait == nil {
		wait = sleep
	}
	const pause = 250 * time.Millisecond
	var payload store.Item
	for waited := time.Duration(0); ; waited += pause {
		var other *store.HeldError
		var err error
		if payload, err = l.Lease.Take(ctx); err == nil {
			break
		}
		if !errors.As(err, &other) || waited >= l.Patience {
			return nil, nil, err
		}
		l.say("waiting for another load ("+other.Label+")", 0, 0)
		if err := wait(ctx, pause); err != nil {
			return nil, nil, err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		l.renew(ctx, cancel)
	}()
	h := &held{Loader: *l, stop: func() { cancel(nil); <-stopped }}
	table := *l.Table
	table.DB = l.Lease.Guard(table.DB)
	h.Table = &table
	var err error
	if h.unfinished, err = commit.HeadOf(payload); err == nil {
		h.mark, err = history.MarkOf(l.Lease.Mark())
	}
	if err != nil {
		h.free()
		return nil, nil, err
	}
	return ctx, h, nil
}

// Hold does something under the lease, to which the writes of the table are bound; number
// is that of the last load. It refuses where a load was interrupted, as StateOf does,
// unless what do does takes no notice of that.
func (l *Loader) Hold(ctx context.Context, interrupted bool, do func(ctx context.Context, table *store.Table, number int) error) error {
	ctx, held, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer held.free()
	if err := unfinished(held.unfinished, nil); err != nil && !interrupted {
		return err
	}
	return do(ctx, held.Table, held.mark.Number)
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
	if h.ended {
		return
	}
	h.stop()
	// The load is over either way; a lease that could not be freed runs out.
	_ = h.Lease.Free(context.Background())
}

// abandon gives up the load that was interrupted.
func (h *held) abandon(ctx context.Context) error {
	if err := commit.Abandon(ctx, h.Table, h.Lease, h.unfinished); err != nil {
		return err
	}
	h.passed(h.unfinished, true)
	h.unfinished = nil
	return nil
}

// passed notes that a load has ended, or was given up.
func (h *held) passed(head *commit.Head, abandoned bool) {
	if head.Number > 0 {
		h.mark = head.Passed(abandoned)
	}
}

// finish ends the load that was interrupted after its journal was complete, if
// there is one.
func (h *held) finish(ctx context.Context) error {
	if h.unfinished == nil {
		return nil
	}
	if err := h.unfinished.Conducting(); err != nil {
		return err
	}
	if _, err := h.checkLayout(ctx); err != nil {
		return err
	}
	h.say("finishing an interrupted load", 0, 0)
	head, changes := h.unfinished, spool.New(ctx, h.run)
	defer changes.Close()
	var writes commit.Source = changes
	var err error
	if head.Empty {
		err = h.computeAgain(ctx, head, changes)
	} else {
		writes = head.Kept(ctx, h.Table)
	}
	if err != nil {
		return err
	}
	mark, err := h.complete(ctx, writes, head, true)
	if err != nil {
		return err
	}
	h.unfinished = nil
	if err := h.Lease.Complete(ctx, mark); err != nil {
		return &BegunError{Err: err}
	}
	if head.Erases { // its journal says what was erased
		return erasure.Scrub(ctx, h.Table, h.mark, nil)
	}
	return nil
}

// computeAgain finds the writes of a first load: before it there was nothing,
// whatever it has written since.
func (h *held) computeAgain(ctx context.Context, head *commit.Head, changes *spool.Spool) error {
	files, err := head.Records(ctx, h.Table)
	if err != nil {
		return err
	}
	set, err := dataset.Read(ctx, files, dataset.Options{LineLimit: commit.LineLimit})
	if err != nil {
		return fmt.Errorf("read the journal of an interrupted load: %w", err)
	}
	return newRun(&h.Loader, true, changes).compute(ctx, set)
}

// load loads a dataset; it is the last thing that is done under the lease.
func (h *held) load(ctx context.Context, source source, opts Options) (*Report, error) {
	changes := spool.New(ctx, h.run)
	defer changes.Close()
	r, report, err := plan(ctx, &h.Loader, source, opts, changes)
	if err == nil && h.Confirm != nil && opts.undoes == nil && report.Takes() {
		err = h.Confirm(ctx, report)
	}
	if err == nil {
		err = r.erasure.Scrub(ctx, h.Table, h.mark)
	}
	if err != nil {
		return nil, err
	}
	if report.Entries == 0 {
		return report, nil
	}
	head := &commit.Head{ID: rand.Text(), Empty: r.empty, Label: opts.Label, Report: report, Erases: r.erasure != nil}
	var writes commit.Source = changes
	var journal []byte // a short one
	if r.empty {
		journal, err = head.KeepRecords(ctx, h.Table, r.changes.Journal, h.portions())
	} else {
		journal, err = head.KeepWrites(ctx, h.Table, changes, h.portions())
		writes = head.Kept(ctx, h.Table)
	}
	if err != nil {
		return nil, err
	}
	if err := r.enter(ctx, h, head, opts, journal); err != nil {
		return nil, err
	}
	if r.empty {
		if _, err := generation.Begin(ctx, h.Table); err != nil {
			return nil, err
		}
	}
	if err := head.Write(ctx, h.Lease); err != nil {
		return nil, &BegunError{Err: err} // it may have been applied
	}
	mark, err := h.complete(ctx, writes, head, false)
	if err == nil && r.erasure != nil { // once more, of this load itself
		if err = h.Lease.Complete(ctx, mark); err == nil {
			err = r.erasure.Scrub(ctx, h.Table, h.mark)
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

// complete finishes a load that has a complete journal. It leaves the payload of the lease
// to be cleared, and returns the mark to set with that. Resumed says that another run has
// begun to write.
func (h *held) complete(ctx context.Context, writes commit.Source, head *commit.Head, resumed bool) (store.Item, error) {
	state, err := generation.Begin(ctx, h.Table)
	if err != nil {
		return nil, &BegunError{Err: err}
	}
	if err := h.write(ctx, writes, head, resumed); err != nil {
		return nil, &BegunError{Err: err}
	}
	if err := state.End(ctx, head.Number, h.Lease.Now()); err != nil {
		return nil, &BegunError{Err: err}
	}
	if h.Finished != nil {
		if err := h.Finished(ctx, head.Label, head.Report); err != nil {
			return nil, &BegunError{Err: err}
		}
	}
	h.passed(head, false)
	mark, err := head.Passed(false).Item()
	if err == nil {
		err = commit.Clear(ctx, h.Table, h.Lease, head, mark)
	}
	if err != nil {
		return nil, &BegunError{Err: err}
	}
	return mark, nil
}

// write makes the writes of a load.
func (h *held) write(ctx context.Context, writes commit.Source, head *commit.Head, resumed bool) error {
	w := &commit.Writer{
		Table: h.Table, Lists: diff.NewLists(diff.NewCollation(), nil).All(), Empty: head.Empty, Journal: head.ID,
		Pace: h.portions(), Pause: h.Pause, Resumed: resumed,
		Progress: func(done, all int) { h.say("writing", done, all) },
	}
	if resumed {
		from, err := commit.ReadCheckpoint(ctx, h.Table, head.ID)
		if err != nil {
			return err
		}
		if from != nil {
			w.From = *from
		}
	}
	return w.Write(ctx, writes)
}
