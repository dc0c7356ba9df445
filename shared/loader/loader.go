package loader

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/store"
)

// Loader loads datasets into a Sports table.
type Loader struct {
	Table *store.Table
	Lease *store.Lease
	// Progress is called with what is being done; done and all count entries,
	// all is 0 where it is not known. It may be nil.
	Progress func(what string, done, all int)
	// Patience is how long to wait for another load to end; 0: not at all.
	// Less than store.LeaseTerm does not outlast a load that was killed.
	Patience time.Duration
	Wait     func(ctx context.Context, d time.Duration) error // nil: a timer
	Now      func() time.Time                                 // for warnings; nil: time.Now
	// Workbooks reads the workbooks of a dataset; nil: they are a fault.
	Workbooks dataset.Workbooks
	// Lint gives warnings of a dataset where a person reads them; resolve fills in the
	// season and the kick-off of a match. It may be nil.
	Lint func(set *dataset.Set, resolve func(*dataset.Record[dataset.Match])) []dataset.Fault
	// KeepDays is how many days loads are kept (history.Kept); 0: as the last load said.
	KeepDays int
	// Confirm is called before a load writes that takes something away
	// (Report.Takes), under its lease. An error ends the load, and is returned. An
	// undo does not ask. It may be nil.
	Confirm func(ctx context.Context, r *Report) error
	// Finished is called when all writes of a load that changes something are
	// made, before its journal is removed. Label is the Options.Label of the
	// load, whichever run began it. If the load is killed at that moment, the
	// next one finishes it and calls Finished again. It may be nil.
	Finished func(ctx context.Context, label string, r *Report) error
	// Erased is called, like Finished, when a load has erased something (D64): where it
	// was stored its bytes may still be. It may be nil.
	Erased func(ctx context.Context)

	portion  int    // commit.Writer.Portion
	inMemory int    // records that the spool sorts in memory; 0: as many as usual
	batch    int    // records that are compared at a time; 0: batchRecords
	undo     int    // bytes of a way back that is kept; 0: history.LargestUndo
	memory   memory // zero: that of the process
}

// Options of a load.
type Options struct {
	Replace  bool // remove what the dataset does not hold
	DryRun   bool // check, and say what would be done
	GoodPart bool // leave faulty records out, and what refers to them
	Strict   bool // refuse a dataset that there are warnings of
	Diff     bool // list in the report what changes, record by record
	// AllowDeletes is how many records, of all kinds together, Replace may
	// remove; nil: as many as are unlikely to be an accident (D52).
	AllowDeletes *int
	// Abandon gives up a load that was interrupted and cannot be finished. What it
	// has written stays: Check mends it.
	Abandon bool
	// AllowErased are the keys, or ids, of records that were erased and may come back.
	AllowErased []string
	// Label identifies this load, so that it is recognised after an
	// interruption; empty: nobody needs that. At most some KB.
	Label string
	// Note says why, for the history, in at most 100 characters.
	Note string
	// File is the name of what is loaded, for the history: of it, 100 characters are kept.
	File string

	Load int // the number of the load to undo; 0: the last

	erased bool           // the table keeps what was erased
	undoes *history.Entry // the load that this one takes back; nil: none
}

// Report is what a load did, or would do.
type Report = commit.Report

// ErrGoodPartDeletes is the error of a load with Replace and GoodPart, but
// without AllowDeletes: the records left out as faulty would be removed (D52).
var ErrGoodPartDeletes = errors.New("the good part of a dataset may replace everything only where it is said how many deletions are meant")

// DeletionsError refuses a load that would remove more than may go without being
// asked for (D52).
type DeletionsError = integrity.DeletionsError

// Load brings a dataset into the table. The error is *dataset.Faults where the
// dataset is faulty: then nothing was changed, unless by the end of an earlier
// load that had been interrupted. *DeletionsError refuses deletions that are
// likely an accident, *MemoryError a load that needs more memory than there is.
// *store.HeldError says that another load is running. After any other error the same or
// another load can be run and repairs everything; *BegunError says that one must.
func (l *Loader) Load(ctx context.Context, files fs.FS, opts Options) (*Report, error) {
	set, faults, err := l.read(ctx, files, nil)
	if err != nil {
		return nil, err
	}
	if set.Partial { // what it changes has to be read while no other load runs
		return l.LoadFrom(ctx, func(context.Context) (fs.FS, error) { return files, nil }, opts)
	}
	if faults != nil && !opts.GoodPart { // it will not be loaded: there is no need to wait for another load
		_, _, err := plan(ctx, l, alreadyRead(set, faults), opts, new(counter))
		if errors.As(err, new(*dataset.Faults)) { // with those of references
			return nil, err
		}
		return nil, cmp.Or(ctx.Err(), error(faults)) // the table is out of reach
	}
	return l.loadOrTry(ctx, opts, given(alreadyRead(set, faults)))
}

// LoadFrom is Load for a dataset that is opened only when it is needed: not
// while another load is running, and not if this very load, by its label, was
// interrupted, since its journal finishes it. An error of open is returned as
// it is. Files that are an io.Closer are closed as soon as they are read.
func (l *Loader) LoadFrom(ctx context.Context, open func(context.Context) (fs.FS, error), opts Options) (*Report, error) {
	return l.loadOrTry(ctx, opts, given(l.opened(open)))
}

// opened is the dataset in files that are not open yet.
func (l *Loader) opened(open func(context.Context) (fs.FS, error)) source {
	return func(ctx context.Context) (*dataset.Set, *dataset.Faults, error) {
		files, err := open(ctx)
		if err != nil {
			return nil, nil, err
		}
		var unread error // of the table
		set, faults, err := l.read(ctx, files, l.lookup(&unread))
		err = cmp.Or(unread, err)
		if c, ok := files.(io.Closer); ok {
			err = cmp.Or(err, c.Close())
		}
		return set, faults, err
	}
}

// UnreadableError is the error of a folder that cannot be read, or holds no file
// of a dataset.
type UnreadableError struct{ Err error }

// Error is the reason.
func (e *UnreadableError) Error() string { return e.Err.Error() }

// Unwrap is the reason.
func (e *UnreadableError) Unwrap() error { return e.Err }

// read reads a dataset; faults are those of the records that the set leaves out.
// Without stored, the records that it would complete are left out, too.
func (l *Loader) read(ctx context.Context, files fs.FS, stored dataset.Lookup) (*dataset.Set, *dataset.Faults, error) {
	set, err := dataset.Read(ctx, files, dataset.Options{
		Progress: func(file string, line int) { l.say("reading "+file, line, 0) },
		Stored:   stored, Workbooks: l.Workbooks,
	})
	var faults *dataset.Faults
	switch {
	case err == nil, errors.As(err, &faults):
		return set, faults, nil
	case ctx.Err() != nil:
		return nil, nil, err
	}
	return nil, nil, &UnreadableError{err}
}

// ErrUnfinished is the error of a dry run where a load was interrupted: what it
// would change is only known once that one is finished, which writes.
var ErrUnfinished = errors.New("an import was interrupted and must be finished first: run an import without --dry-run")

// unfinished is the error of what needs a table without a load that was
// interrupted.
func unfinished(head *commit.Head, err error) error {
	if err != nil || head == nil {
		return err
	}
	return ErrUnfinished
}

// source reads the dataset of a load.
type source func(context.Context) (*dataset.Set, *dataset.Faults, error)

// alreadyRead is a dataset that was read before the lease is taken.
func alreadyRead(set *dataset.Set, faults *dataset.Faults) source {
	return func(context.Context) (*dataset.Set, *dataset.Faults, error) { return set, faults, nil }
}

// request says what to load once it is known which load was the last. It may change the
// options.
type request func(l *Loader, last history.Mark, opts *Options) (source, error)

// given is a request of what is known before.
func given(s source) request {
	return func(*Loader, history.Mark, *Options) (source, error) { return s, nil }
}

// loadOrTry loads under the lease, after finishing an interrupted load. A dry
// run needs neither, since it writes nothing.
func (l *Loader) loadOrTry(ctx context.Context, opts Options, of request) (*Report, error) {
	if opts.DryRun {
		head, last, err := commit.Read(ctx, l.Table)
		if err := unfinished(head, err); err != nil {
			return nil, err
		}
		opts.erased = last.Erased
		source, err := of(l, last, &opts)
		if err != nil {
			return nil, err
		}
		_, report, err := plan(ctx, l, source, opts, new(counter))
		return report, err
	}
	ctx, held, err := l.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer held.free()
	head := held.Head
	if head != nil && opts.Abandon && (opts.Label == "" || head.Label != opts.Label) {
		if err := held.Abandon(ctx); err != nil {
			return nil, err
		}
		head = nil
	}
	if err := held.finish(ctx); err != nil {
		return nil, err
	}
	if head != nil && opts.Label != "" && head.Label == opts.Label {
		return head.Report, nil
	}
	opts.erased = held.Mark.Erased
	source, err := of(held.loader, held.Mark, &opts)
	if err != nil {
		return nil, err
	}
	report, err := held.load(ctx, source, opts)
	if err != nil {
		return nil, err
	}
	if head != nil {
		report.Finished = head.Report
		if report.Finished == nil { // of a journal without one
			report.Finished = &Report{}
		}
	}
	return report, nil
}

// ErrNothingToAbandon is the error where no load was interrupted.
var ErrNothingToAbandon = errors.New("no import was interrupted: there is nothing to give up")

// Abandon gives up a load that was interrupted. It returns the report of that load, nil
// if there isn't one. What the load has written stays: Check mends it.
func (l *Loader) Abandon(ctx context.Context) (*Report, error) {
	ctx, held, err := l.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer held.free()
	head := held.Head
	if head == nil {
		return nil, ErrNothingToAbandon
	}
	return head.Report, held.Abandon(ctx)
}

// room is the memory of the load.
func (l *Loader) room() memory {
	if l.memory.limit == nil {
		return ofProcess()
	}
	return l.memory
}

func (l *Loader) now() time.Time {
	if l.Now == nil {
		return time.Now()
	}
	return l.Now()
}

func (l *Loader) say(what string, done, all int) {
	if l.Progress != nil {
		l.Progress(what, done, all)
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// plan reads a dataset and finds what it changes; nothing is written. Report.Entries
// says how much.
func plan(ctx context.Context, l *Loader, source source, opts Options, sink interface {
	diff.Sink
	Len() int
}) (r *run, report *Report, err error) {
	ctx, stop := l.room().watch(ctx)
	defer func() {
		err = outOfMemory(ctx, err)
		stop()
	}()
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return nil, nil, err
	}
	r = newRun(l, empty, watchedSink{sink, ctx})
	r.changes.Exact = opts.undoes != nil
	if empty && !opts.DryRun {
		r.changes.Journal = commit.NewArchive()
	}
	if opts.Diff || !opts.DryRun {
		r.account = &account{all: opts.Diff}
		if !opts.DryRun && opts.undoes == nil {
			r.account.undo = history.NewUndo(cmp.Or(l.undo, history.LargestUndo))
		}
	}
	set, err := r.read(ctx, source, opts)
	if err != nil {
		return nil, nil, err
	}
	if err := r.compute(ctx, set); err != nil {
		return nil, nil, err
	}
	if faults := r.bounds(set); faults != nil {
		return nil, nil, faults
	}
	if opts.Strict && r.exposed.Count() > 0 {
		return nil, nil, r.exposed.Faults()
	}
	report = r.changes.Report
	report.Warnings = report.Warnings.With(r.exposed)
	report.SetMoves(r.moves)
	report.DryRun, report.Entries = opts.DryRun, sink.Len()
	if opts.undoes != nil {
		report.Warnings = nil // it brings nothing new
	}
	if opts.Diff {
		report.Changes = r.account.changes
	}
	return r, report, nil
}

// read reads a dataset and checks it.
func (r *run) read(ctx context.Context, source source, opts Options) (*dataset.Set, error) {
	if opts.Replace && opts.GoodPart && opts.AllowDeletes == nil {
		return nil, ErrGoodPartDeletes
	}
	set, faults, err := source(ctx)
	if err != nil {
		return nil, err
	}
	r.given = set.Given
	return set, r.check(ctx, set, faults, opts)
}
