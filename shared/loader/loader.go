package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/dataset"
	"touchline/shared/store"
)

// Layout is the version of what the loader writes. A table written by another
// version is not touched: its lists would not be what this one takes them for.
const Layout = 3

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
}

// Options of a load.
type Options struct {
	Replace  bool // remove what the dataset does not hold
	DryRun   bool // check, and say what would be done
	GoodPart bool // leave faulty records out, and what refers to them
}

// Report is what a load did, or would do.
type Report struct {
	Organizations Counts `json:"organizations"`
	Competitions  Counts `json:"competitions"` // seasons
	Teams         Counts `json:"teams"`
	Players       Counts `json:"players"`
	Matches       Counts `json:"matches"`
	Standings     Counts `json:"standings"` // tables given
	// Finished: an earlier load that had been interrupted was finished first.
	Finished bool `json:"finished,omitempty"`
	// Entries are the list entries and items written.
	Entries int `json:"entries"`
	// Faults are those of the records left out (GoodPart).
	Faults *dataset.Faults `json:"faults,omitempty"`
}

// Load brings a dataset into the table. The error is *dataset.Faults where the
// dataset is faulty: then nothing was changed, unless by the end of an earlier
// load that had been interrupted. *store.HeldError says that another load is
// running. After any other error the same or another load can be run again and
// ends right.
func (l *Loader) Load(ctx context.Context, files fs.FS, opts Options) (*Report, error) {
	set, err := dataset.Read(ctx, files, dataset.Options{
		GoodPart: opts.GoodPart,
		Progress: func(file string, line int) { l.say("reading "+file, line, 0) },
	})
	var faults *dataset.Faults
	if err != nil && (set == nil || !errors.As(err, &faults)) {
		return nil, err
	}
	report, err := l.loadOrTry(ctx, set, opts)
	if err != nil {
		return nil, err
	}
	if faults != nil {
		faults.Merge(report.Faults)
		report.Faults = faults
	}
	return report, nil
}

// ErrUnfinished is the error of a dry run where a load was interrupted: what it
// would change can only be told once that one is finished, which writes.
var ErrUnfinished = errors.New("an import was interrupted and must be finished first: run an import without --dry-run")

// loadOrTry loads under the lease, after finishing what was interrupted; a dry
// run needs neither, for it writes nothing at all.
func (l *Loader) loadOrTry(ctx context.Context, set *dataset.Set, opts Options) (*Report, error) {
	if opts.DryRun {
		if journal, err := pendingJournal(ctx, l.Table); err != nil || journal != nil {
			return nil, cmp.Or(err, ErrUnfinished)
		}
		return l.load(ctx, set, opts)
	}
	ctx, free, err := l.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	finished, err := l.finish(ctx)
	if err != nil {
		return nil, err
	}
	report, err := l.load(ctx, set, opts)
	if err != nil {
		return nil, err
	}
	report.Finished = finished
	return report, nil
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
		for sleep(ctx, store.LeaseTerm/3) == nil {
			if err := l.Lease.Take(ctx); err != nil && ctx.Err() == nil {
				cancel(fmt.Errorf("lost the right to load: %w", err))
			}
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-stopped
		// The load is over either way; a lease that could not be freed ends.
		_ = l.Lease.Free(context.WithoutCancel(ctx))
	}, nil
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

// finish ends a load that was interrupted after its journal stood.
func (l *Loader) finish(ctx context.Context) (bool, error) {
	files, err := pendingJournal(ctx, l.Table)
	if err != nil || files == nil {
		return false, err
	}
	l.say("finishing an interrupted load", 0, 0)
	set, err := dataset.Read(ctx, files, dataset.Options{})
	if err != nil {
		return false, fmt.Errorf("read the journal of an interrupted load: %w", err)
	}
	r := l.newRun(false)
	r.changes.journal = nil
	if err := r.take(ctx, set); err != nil {
		return false, err
	}
	if err := r.apply(ctx); err != nil {
		return false, err
	}
	return true, clearJournal(ctx, l.Table)
}

func (l *Loader) load(ctx context.Context, set *dataset.Set, opts Options) (*Report, error) {
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return nil, err
	}
	r := l.newRun(empty)
	if err := r.check(ctx, set, opts); err != nil {
		return nil, err
	}
	report := r.changes.report
	if err := r.project(ctx); err != nil {
		return nil, err
	}
	if report.Entries = r.size(); opts.DryRun || report.Entries == 0 {
		return report, nil
	}
	if empty {
		if err := l.writeLayout(ctx); err != nil {
			return nil, err
		}
	}
	if err := r.changes.journal.write(ctx, l.Table); err != nil {
		return nil, err
	}
	if err := r.write(ctx); err != nil {
		return nil, err
	}
	return report, clearJournal(ctx, l.Table)
}

type layoutRecord struct {
	Layout int `dynamodbav:"v"`
}

// Empty reports whether nothing was ever loaded into the table.
func Empty(ctx context.Context, table *store.Table) (bool, error) {
	item, err := table.Get(ctx, store.VersionKey(), true)
	return item == nil, err
}

// checkLayout reports whether the table is empty.
func (l *Loader) checkLayout(ctx context.Context) (empty bool, err error) {
	item, err := l.Table.Get(ctx, store.VersionKey(), true)
	if err != nil || item == nil {
		return item == nil, err
	}
	version, err := unmarshal[layoutRecord](item)
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
	return l.Table.Write(ctx, []store.Write{{Key: store.VersionKey(), Item: item}})
}
