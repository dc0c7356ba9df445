package loader

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/dataset"
	"touchline/shared/loader/commit"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Layout is the version of what the loader writes. A table written by another
// version is not touched: its lists would not be what this one takes them for.
const Layout = 4

// Loader loads datasets into a Sports table.
type Loader struct {
	Table *store.Table
	Lease *store.Lease
	// Progress hears what is being done; done and all count entries, all is 0
	// where it is not known. It may be nil.
	Progress func(what string, done, all int)
	// Patience is how long to wait for another load to end; 0: not at all.
	// Less than store.LeaseTerm does not outlast a load that was killed.
	Patience time.Duration
	Wait     func(ctx context.Context, d time.Duration) error // nil: a timer
	Now      func() time.Time                                 // for warnings; nil: time.Now
	// Pause is asked between portions of a long load, some seconds apart: true
	// ends it with ErrPaused, and the next goes on from there. nil: never.
	Pause func() bool
	// Finished hears, before the journal goes, that a load that changes
	// something stands: by its Options.Label, whoever began it. A load that is
	// killed then is finished, and heard of, again. It may be nil.
	Finished func(ctx context.Context, label string, r *Report) error

	pace commit.Pace // zero: defaultPace
}

// Options of a load.
type Options struct {
	Replace  bool // remove what the dataset does not hold
	DryRun   bool // check, and say what would be done
	GoodPart bool // leave faulty records out, and what refers to them
	Strict   bool // refuse a dataset that there are warnings of
	// AllowDeletes is how many records, of all kinds together, Replace may remove;
	// nil: as many as are no likely accident (D52).
	AllowDeletes *int
	// Abandon gives up a load that was interrupted and cannot be finished. What it
	// has written stays: Check mends it.
	Abandon bool
	// Label tells this load from every other, so that it is known again where it
	// was interrupted; empty: it is of no interest. At most some KB.
	Label string
}

// Report is what a load did, or would do.
type Report = commit.Report

// Counts say what a load does with the records of a kind.
type Counts = commit.Counts

// ErrPaused is the error of a load that was asked to stop (Loader.Pause). The
// next one continues from there.
var ErrPaused = commit.ErrPaused

// Load brings a dataset into the table. The error is *dataset.Faults where the
// dataset is faulty: then nothing was changed, unless by the end of an earlier
// load that had been interrupted. *DeletionsError refuses deletions that are
// likely an accident. *store.HeldError says that another load is running,
// ErrPaused that Pause has stopped this one. After any other error the same or
// another load can be run again and ends right; *BegunError says that it has to.
func (l *Loader) Load(ctx context.Context, files fs.FS, opts Options) (*Report, error) {
	set, faults, err := l.read(ctx, files)
	if err != nil {
		return nil, err
	}
	if faults != nil && !opts.GoodPart { // it will not be loaded: there is no need to wait for another load
		return nil, l.faulty(ctx, set, faults, opts)
	}
	return l.loadOrTry(ctx, func(context.Context) (*dataset.Set, *dataset.Faults, error) {
		return set, faults, nil
	}, opts)
}

// LoadFrom is a Load of a dataset that is opened once its turn has come: not
// where another load is running, and not where this very one, by its label, was
// interrupted, which is finished without it. An error of open is its own.
func (l *Loader) LoadFrom(ctx context.Context, open func(context.Context) (fs.FS, error), opts Options) (*Report, error) {
	return l.loadOrTry(ctx, func(ctx context.Context) (*dataset.Set, *dataset.Faults, error) {
		files, err := open(ctx)
		if err != nil {
			return nil, nil, err
		}
		return l.read(ctx, files)
	}, opts)
}

// faulty gives every fault of a dataset that has some: to those of reading it
// adds those of its references. Where the table is out of reach they are those
// of reading.
func (l *Loader) faulty(ctx context.Context, set *dataset.Set, read *dataset.Faults, opts Options) error {
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return read
	}
	refs, err := set.Resolve(ctx, known(l.newRun(empty).fetch, opts.Replace), 0, false)
	if err != nil {
		return cmp.Or(ctx.Err(), error(read))
	}
	read.Merge(refs)
	return read
}

// UnreadableError is the error of a folder that cannot be read, or holds no file
// of a dataset.
type UnreadableError struct{ Err error }

// Error is the reason.
func (e *UnreadableError) Error() string { return e.Err.Error() }

// Unwrap is the reason.
func (e *UnreadableError) Unwrap() error { return e.Err }

// read reads a dataset; faults are those of the records that the set leaves out.
func (l *Loader) read(ctx context.Context, files fs.FS) (*dataset.Set, *dataset.Faults, error) {
	set, err := dataset.Read(ctx, files, dataset.Options{
		Progress: func(file string, line int) { l.say("reading "+file, line, 0) },
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
// would change can only be told once that one is finished, which writes.
var ErrUnfinished = errors.New("an import was interrupted and must be finished first: run an import without --dry-run")

// source reads the dataset of a load.
type source func(context.Context) (*dataset.Set, *dataset.Faults, error)

// loadOrTry loads under the lease, after finishing what was interrupted; a dry
// run needs neither, for it writes nothing at all.
func (l *Loader) loadOrTry(ctx context.Context, source source, opts Options) (*Report, error) {
	if opts.DryRun {
		if head, err := commit.ReadHead(ctx, l.Table); err != nil || head != nil {
			return nil, cmp.Or(err, ErrUnfinished)
		}
		return l.load(ctx, source, opts)
	}
	ctx, free, err := l.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	if opts.Abandon {
		if err := l.abandonOther(ctx, opts.Label); err != nil {
			return nil, err
		}
	}
	finished, err := l.finish(ctx)
	if err != nil {
		return nil, err
	}
	if finished != nil && opts.Label != "" && finished.Label == opts.Label {
		return finished.Report, nil
	}
	report, err := l.load(ctx, source, opts)
	if err != nil {
		return nil, err
	}
	if finished != nil {
		report.Finished = finished.Report
		if report.Finished == nil { // of a journal without one
			report.Finished = &Report{}
		}
	}
	return report, nil
}

// abandonOther gives up a load that was interrupted, unless it is the one of this
// label: that one goes on.
func (l *Loader) abandonOther(ctx context.Context, label string) error {
	head, err := commit.ReadHead(ctx, l.Table)
	if err != nil || head == nil || label != "" && head.Label == label {
		return err
	}
	return commit.Clear(ctx, l.Table)
}

// ErrNothingToAbandon is the error where no load was interrupted.
var ErrNothingToAbandon = errors.New("no import was interrupted: there is nothing to give up")

// Abandon gives up a load that was interrupted, and returns what it was to do.
// What it has written stays: Check mends it.
func (l *Loader) Abandon(ctx context.Context) (*Report, error) {
	ctx, free, err := l.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	head, err := commit.ReadHead(ctx, l.Table)
	if err != nil {
		return nil, err
	}
	if head == nil {
		return nil, ErrNothingToAbandon
	}
	return head.Report, commit.Clear(ctx, l.Table)
}

func (l *Loader) say(what string, done, all int) {
	if l.Progress != nil {
		l.Progress(what, done, all)
	}
}

// lock takes the lease, waiting for another load as long as Patience says, and
// renews it until it is freed. Losing it cancels the context.
func (l *Loader) lock(ctx context.Context) (context.Context, func(), error) {
	wait := l.Wait
	if wait == nil {
		wait = sleep
	}
	const pause = 250 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		err := l.Lease.Take(ctx)
		var held *store.HeldError
		if err == nil {
			break
		}
		if !errors.As(err, &held) || waited >= l.Patience {
			return nil, nil, err
		}
		l.say("waiting for another load ("+held.Label+")", 0, 0)
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
	return ctx, func() {
		cancel(nil)
		<-stopped
		// The load is over either way; a lease that could not be freed ends.
		_ = l.Lease.Free(context.WithoutCancel(ctx))
	}, nil
}

// renew keeps the lease until ctx ends, and ends it where the lease is lost. A
// renewal that DynamoDB does not take in time (it may be busy with the load
// itself) is tried again while the lease lasts.
func (l *Loader) renew(ctx context.Context, cancel context.CancelCauseFunc) {
	const tries = 3 // within LeaseTerm
	for failed := 0; sleep(ctx, store.LeaseTerm/(tries+1)) == nil; {
		err := l.Lease.Take(ctx)
		var held *store.HeldError
		switch failed++; {
		case err == nil:
			failed = 0
		case ctx.Err() == nil && (failed == tries || errors.As(err, &held)):
			cancel(fmt.Errorf("lost the right to load: %w", err))
		}
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

// finish ends a load that was interrupted after its journal stood; nil: there
// was none.
func (l *Loader) finish(ctx context.Context) (*commit.Head, error) {
	if _, err := l.checkLayout(ctx); err != nil {
		return nil, err
	}
	p, err := commit.ReadInterrupted(ctx, l.Table)
	if err != nil || p == nil {
		return nil, err
	}
	l.say("finishing an interrupted load", 0, 0)
	set, err := dataset.Read(ctx, p.Files, dataset.Options{LineLimit: commit.LineLimit})
	if err != nil {
		return nil, fmt.Errorf("read the journal of an interrupted load: %w", err)
	}
	r := l.newRun(p.Empty)
	r.changes.journal = nil
	if err := r.apply(ctx, set); err != nil {
		return nil, err
	}
	p.Files = nil
	if err := r.project(ctx); err != nil {
		return nil, err
	}
	head := &p.Head
	return head, l.complete(ctx, r, head, p)
}

func (l *Loader) load(ctx context.Context, source source, opts Options) (*Report, error) {
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return nil, err
	}
	if opts.Replace && opts.GoodPart && opts.AllowDeletes == nil {
		return nil, ErrGoodPartDeletes
	}
	r := l.newRun(empty)
	set, faults, err := source(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.check(ctx, set, faults, opts); err != nil {
		return nil, err
	}
	report := r.changes.report
	report.DryRun = opts.DryRun
	if err := r.project(ctx); err != nil {
		return nil, err
	}
	if faults := r.bounds(set); faults != nil {
		return nil, faults
	}
	if report.Entries = r.size(); opts.DryRun || report.Entries == 0 {
		return report, nil
	}
	head := &commit.Head{ID: rand.Text(), Empty: empty, Label: opts.Label, Report: report}
	if head.Parts, err = r.changes.journal.WriteParts(ctx, l.Table); err != nil {
		return nil, err
	}
	if empty {
		if err := l.writeLayout(ctx); err != nil {
			return nil, err
		}
	}
	if err := head.Write(ctx, l.Table); err != nil {
		return nil, &BegunError{err} // it may have been applied
	}
	return report, l.complete(ctx, r, head, nil)
}

// BegunError is the error of a load that ended early, after it had begun to
// change the table: the next load finishes it.
type BegunError struct{ Err error }

// Error is the reason.
func (e *BegunError) Error() string { return e.Err.Error() }

// Unwrap is the reason.
func (e *BegunError) Unwrap() error { return e.Err }

// complete brings a load to its end whose journal stands; interrupted is nil
// where this run wrote it.
func (l *Loader) complete(ctx context.Context, r *run, head *commit.Head, interrupted *commit.Interrupted) error {
	if err := r.write(ctx, head, interrupted); err != nil {
		return &BegunError{err}
	}
	if l.Finished != nil {
		if err := l.Finished(ctx, head.Label, head.Report); err != nil {
			return &BegunError{err}
		}
	}
	if err := commit.Clear(ctx, l.Table); err != nil {
		return &BegunError{err}
	}
	return nil
}

type layoutRecord struct {
	Layout int `dynamodbav:"v"`
}

// Empty reports whether nothing was ever loaded into the table.
func Empty(ctx context.Context, table *store.Table) (bool, error) {
	item, err := table.Get(ctx, records.VersionKey(), true)
	return item == nil, err
}

// checkLayout reports whether the table is empty.
func (l *Loader) checkLayout(ctx context.Context) (empty bool, err error) {
	item, err := l.Table.Get(ctx, records.VersionKey(), true)
	if err != nil || item == nil {
		return item == nil, err
	}
	version, err := store.Decode[layoutRecord](item)
	if err != nil {
		return false, err
	}
	if version.Layout != Layout {
		return false, fmt.Errorf("table %s has layout %d, this version writes layout %d: load into a new table", l.Table.Name, version.Layout, Layout)
	}
	return false, nil
}

func (l *Loader) writeLayout(ctx context.Context) error {
	item, err := attributevalue.MarshalMap(layoutRecord{Layout})
	if err != nil {
		return fmt.Errorf("encode layout: %w", err)
	}
	return l.Table.Write(ctx, []store.Write{{Key: records.VersionKey(), Item: item}})
}
