package loader

import (
	"context"
	"crypto/rand"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/spool"
	"touchline/shared/store/generation"
)

// load loads a dataset; it is the last thing that is done under the lease.
func (l *locked) load(ctx context.Context, read source, opts Options) (*Report, error) {
	if opts.Version != "" && opts.Version != l.lock.Last.Version() {
		return nil, ErrChecked
	}
	changes := spool.New(ctx, l.Temp, l.inMemory)
	defer changes.Close()
	p, err := plan(ctx, l.Loader, read, opts, l.lock.Last, &sink{to: changes, room: l.room()})
	if err != nil {
		return nil, err
	}
	report, first := p.report, p.first != nil
	err = l.confirm(ctx, report, p.past.Undoes > 0, opts.Yes)
	if err == nil && p.erasure != nil {
		err = erasure.Scrub(ctx, l.Table, l.lock.Last, p.erasure)
	}
	if err == nil && p.erasure != nil && report.Entries == 0 {
		err = l.erased(ctx)
	}
	if err != nil || report.Entries == 0 {
		return report, err
	}
	header := &journal.Header{Load: history.Mark{ID: rand.Text()}, First: first, Report: report, Erases: p.erasure != nil}
	writes := journal.Source(changes)
	if first {
		err = header.KeepRecords(ctx, l.Table, p.first)
	} else if err = header.KeepWrites(ctx, l.Table, changes); err == nil {
		writes, err = header.JournalWrites(ctx, l.Table)
	}
	if err == nil {
		p.past.By = l.Lease.Label
		err = l.lock.Begin(ctx, header, p.past, p.back)
	}
	if err == nil && first { // no build of another layout takes the table for an empty one
		err = generation.Begin(ctx, l.Table)
	}
	if err != nil {
		return nil, err
	}
	if err := header.Write(ctx, l.Lease); err != nil {
		return nil, &BegunError{err} // it may have been applied
	}
	err = l.make(ctx, header, writes, false)
	if err == nil && p.erasure != nil {
		return report, l.forget(ctx, header, p.erasure)
	}
	if err == nil {
		err = l.lock.End(ctx)
	}
	if err != nil {
		err = &BegunError{err}
	}
	return report, err
}

// UnmeantError refuses a load that would show who was hidden (D89) or exchange names (D90)
// where nobody can be asked and nobody has said that it is meant. Nothing was changed.
type UnmeantError struct{ *dataset.Faults }

// Unwrap is what is not meant.
func (e *UnmeantError) Unwrap() error { return e.Faults }

// confirm asks whether a load is meant that takes something away or shows somebody.
func (l *Loader) confirm(ctx context.Context, r *Report, undo, meant bool) error {
	unmeant := r.Unmeant()
	switch {
	case l.Confirm != nil && (!undo && r.Takes() || len(r.Shown) > 0):
		return l.Confirm(ctx, r)
	case l.Confirm == nil && !meant && unmeant.Count() > 0:
		return &UnmeantError{unmeant}
	}
	return nil
}

// finish ends the load that was interrupted after its journal was complete, if
// there is one.
func (l *locked) finish(ctx context.Context) error {
	header := l.lock.Header
	if header == nil {
		return nil
	}
	if _, err := l.checkLayout(ctx); err != nil {
		return err
	}
	l.say("finishing an interrupted load", 0, 0)
	changes := spool.New(ctx, l.Temp, l.inMemory)
	defer changes.Close()
	writes := journal.Source(changes)
	var err error
	switch {
	case header.Over:
	case header.First:
		err = l.computeAgain(ctx, header, changes)
	default:
		writes, err = header.JournalWrites(ctx, l.Table)
	}
	if err == nil && !header.Over {
		err = l.make(ctx, header, writes, true)
	}
	if err == nil && header.Erases {
		return l.forget(ctx, header, nil)
	}
	if err == nil {
		err = l.lock.Complete(ctx)
	}
	if err != nil {
		err = &BegunError{err}
	}
	return err
}

// computeAgain finds the writes of a first load: before it there was nothing,
// whatever it has written since.
func (l *locked) computeAgain(ctx context.Context, header *journal.Header, changes *spool.Spool) error {
	files, err := header.JournalRecords(ctx, l.Table)
	if err != nil {
		return err
	}
	set, err := format.Read(ctx, files, format.Options{LineLimit: journal.LineLimit})
	if err != nil {
		return fmt.Errorf("read the journal of an interrupted load: %w", err)
	}
	b, in := newBase(l.Loader, true), &input{set: set, told: erasure.Erased{}}
	for _, x := range set.Erasures {
		in.told[x.Target] = x.Day
	}
	c := b.changes()
	if _, err := b.applyAll(ctx, c, set, false); err != nil {
		return err
	}
	_, err = b.find(ctx, in, c, &sink{to: changes, room: l.room()})
	return err
}

// make makes writes, of the load of a header, or of none where that is nil, and raises the
// version of the data. Again says that another run has begun to write.
func (l *locked) make(ctx context.Context, header *journal.Header, writes journal.Source, again bool) error {
	if err := generation.Begin(ctx, l.Table); err != nil {
		return err
	}
	w, number := l.writer(again), 0
	if header != nil {
		w.Fresh, number = header.First, header.Load.Number
	}
	if err := w.Write(ctx, writes); err != nil {
		return err
	}
	return generation.End(ctx, l.Table, number, l.Lease.Now())
}

// forget ends the load of a header, all of whose writes are made, and removes from what is
// kept of loads what it erased: e, or nil where only the run that was killed knew it. The
// load's own journal says what was erased, too. So the header says first that the load is
// over: whoever finishes it after a kill needs no journal.
func (l *locked) forget(ctx context.Context, header *journal.Header, e *erasure.Erasure) error {
	header.Over = true
	err := header.Write(ctx, l.Lease)
	if err == nil {
		err = erasure.Scrub(ctx, l.Table, header.Load, e)
	}
	if err == nil {
		err = l.lock.Complete(ctx)
	}
	if err != nil {
		return &BegunError{err}
	}
	return l.erased(ctx)
}

// erased says that something was erased. It needs no journal: it is repeated by every load
// that erases, one that changes nothing included.
func (l *locked) erased(ctx context.Context) error {
	if l.Erased == nil {
		return nil
	}
	return l.Erased(ctx)
}

// abandon gives up the load of Header. If that load erases, its journal is removed now, since
// nothing else may ever do so. What it has not erased yet is erased by the same load again.
func (l *locked) abandon(ctx context.Context) error {
	erases := l.lock.Header.Erases
	err := l.lock.Abandon(ctx)
	if err == nil && erases {
		err = erasure.Scrub(ctx, l.Table, l.lock.Last, nil)
	}
	return err
}

func (l *Loader) writer(again bool) *journal.Writer {
	return &journal.Writer{
		Table: l.Table, Lists: diff.NewLists(diff.NewCollation(), nil).Stored, Again: again, Portion: l.portion,
		Progress: func(done, all int) { l.say("writing", done, all) },
	}
}

// BegunError is the error of a load that ended early, after it had begun to
// change the table: the next load finishes it.
type BegunError struct{ error }

// Unwrap is the reason.
func (e *BegunError) Unwrap() error { return e.error }
