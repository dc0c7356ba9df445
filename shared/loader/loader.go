package loader

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"time"

	"touchline/shared/dataset/format"
	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/store"
)

// Loader loads datasets into a Sports table.
type Loader struct {
	Table *store.Table
	Lease *store.Lease
	// Progress is called with what is being done; done and all count lines, records or
	// writes, all is 0 where it is not known. It may be nil.
	Progress func(what string, done, all int)
	// Patience is how long to wait for another load to end; 0: not at all.
	// Less than store.LeaseTerm does not outlast a load that was killed.
	Patience time.Duration
	Now      func() time.Time // for warnings; nil: time.Now
	// Workbooks reads the workbooks of a dataset; nil: they are a fault.
	Workbooks format.Workbooks
	// Temp is the folder in which a load and a check sort what does not fit into memory, as
	// much as the data; empty: that of the system.
	Temp string
	// Confirm is called before a load writes that takes something away
	// (Report.Takes) or shows who was hidden (Report.Shown), under its lease. An error ends
	// the load, and is returned. An undo asks of the second alone. nil: nobody can be asked.
	// Then what nobody has said is meant (Report.Unmeant) is refused, unless Options.Yes.
	Confirm func(ctx context.Context, r *Report) error
	// Erased is called when a load that erases (D64) has ended, also where it had nothing to
	// change: where its data lay their bytes may still be. Load returns its error: the
	// records are erased, and the same load calls it again. It may be nil.
	Erased func(ctx context.Context) error

	portion  int    // journal.Writer.Portion
	inMemory int    // records that the spool sorts in memory; 0: as many as usual
	batch    int    // records that are compared at a time; 0: batchRecords
	undo     int    // bytes of a way back that is kept; 0: history.LargestUndo
	memory   memory // zero: that of the process
}

// Options of a load.
type Options struct {
	Replace  bool // remove what the dataset does not hold
	GoodPart bool // leave faulty records out, and what refers to them
	DryRun   bool // check, and say what would be done
	Strict   bool // refuse a dataset that there are warnings of, or that shows who was hidden, or moves names without Yes (D89, D90)
	// AllowDeletes is how many records, of all kinds together, the load may remove. An entry
	// with results that leaves its season counts as one. nil: Replace may remove as many as
	// are unlikely to be an accident (D52), and no such entry may leave (D83).
	AllowDeletes *int
	// Yes: that the load shows who was hidden, or moves names, is meant (D89, D90). A strict one
	// shows nobody all the same.
	Yes bool
	// Note says why, for the history, in at most 100 characters.
	Note string
	// Abandon gives up a load that was interrupted and cannot be finished. What it
	// has written stays: Check mends it.
	Abandon bool

	Diff bool // list in the report what changes, record by record
	// AllowErased are the keys, or ids, of records that were erased and may come back.
	AllowErased []string
	// File is the name of what is loaded, for the history: of it, 100 characters are kept.
	File string

	Load int // the number of the load to undo; 0: the last
	// Version is that of the data which the load was checked against (Report.Version): others
	// refuse it with ErrChecked. Empty: any.
	Version string
}

// Report is what a load did, or would do.
type Report = history.Report

// ErrGoodPartDeletes is the error of a load with Replace and GoodPart, but
// without AllowDeletes: the records left out as faulty would be removed (D52).
var ErrGoodPartDeletes = errors.New("the good part of a dataset may replace everything only where it is said how many deletions are meant")

// Load brings a dataset into the table. The error is *dataset.Faults where the
// dataset is faulty: then nothing was changed, unless by the end of an earlier
// load that had been interrupted. *integrity.DeletionsError refuses deletions that are
// likely an accident, *UnmeantError what nobody has said is meant, *MemoryError a load that needs more memory than there is.
// *store.HeldError says that another load is running. After any other error the same or
// another load can be run and repairs everything; *BegunError says that one must.
func (l *Loader) Load(ctx context.Context, files fs.FS, opts Options) (*Report, error) {
	return l.loadOrTry(ctx, opts, opened(files))
}

// ErrChecked is the error of a load whose data are not those that it was checked against.
var ErrChecked = errors.New("the data have changed since it was checked")

// ErrUnfinished is the error of what needs a table without an interrupted load, such as a
// dry run: what it would change is only known once that load is finished, which writes.
var ErrUnfinished = errors.New("an import was interrupted and must be finished first: run an import without --dry-run")

// loadOrTry loads under the lease, after finishing an interrupted load. A dry
// run needs neither, since it writes nothing.
func (l *Loader) loadOrTry(ctx context.Context, opts Options, read source) (*Report, error) {
	if opts.DryRun {
		header, last, err := journal.Read(ctx, l.Table)
		if err == nil && header != nil {
			err = ErrUnfinished
		}
		if err != nil {
			return nil, err
		}
		p, err := plan(ctx, l, read, opts, last, &sink{room: l.room()})
		if err != nil {
			return nil, err
		}
		p.report.Version = last.Version()
		return p.report, nil
	}
	ctx, own, err := l.take(ctx)
	if err != nil {
		return nil, err
	}
	defer own.lock.Free()
	header := own.lock.Header
	if header != nil && opts.Abandon {
		err, header = own.abandon(ctx), nil
	}
	if err == nil {
		err = own.finish(ctx)
	}
	if err != nil {
		return nil, err
	}
	report, err := own.load(ctx, read, opts)
	if err != nil {
		return nil, err
	}
	if header != nil {
		report.Finished = cmp.Or(header.Report, &Report{}) // of a journal without one
	}
	return report, nil
}

// ErrNothingToAbandon is the error where no load was interrupted.
var ErrNothingToAbandon = errors.New("no import was interrupted: there is nothing to give up")

// Abandon gives up a load that was interrupted. It returns the report of that load, nil
// if there isn't one. What the load has written stays: Check mends it.
func (l *Loader) Abandon(ctx context.Context) (*Report, error) {
	ctx, own, err := l.take(ctx)
	if err != nil {
		return nil, err
	}
	defer own.lock.Free()
	header := own.lock.Header
	if header == nil {
		return nil, ErrNothingToAbandon
	}
	return header.Report, own.abandon(ctx)
}

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
