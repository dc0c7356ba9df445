package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"syscall"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/journal"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// endBefore is how long before its deadline an invocation stops, so that there is time to
// send the message back. The load goes on in the next one.
const endBefore = 20 * time.Second

// errTime is the error of a load that was stopped because of that.
var errTime = errors.New("the time of the invocation is up, the next one goes on")

// Worker loads drops.
type Worker struct {
	Objects  Objects
	Table    *store.Table
	NewLease func() *store.Lease // each for a new holder
	// Patience is how long to wait for another load before the message goes
	// back.
	Patience time.Duration
	KeepDays int // see loader.Loader
	Stage    string
	Now      func() time.Time
	Log      *slog.Logger
}

// load is an invocation for a drop. It reports whether the message goes back.
func (w *Worker) load(ctx context.Context, d Drop) (again bool) {
	from := w.Now()
	report, err := w.answer(ctx, d)
	return w.log(ctx, d, w.Now().Sub(from), report, err)
}

// answer loads a drop, and writes its report. Where the error is ErrNotFound or
// errReported there is nothing to do; after any other one the message goes back.
func (w *Worker) answer(ctx context.Context, d Drop) (*Report, error) {
	r, err := readReady(ctx, w.Objects, d)
	if err == nil {
		err = w.unreported(ctx, d, r.Version)
	}
	if err != nil {
		return nil, err
	}
	report := &Report{Status: Loaded, DryRun: r.options.DryRun, Faults: r.faults}
	if r.faults == nil {
		report.Counts, err = w.bring(ctx, d, r)
		report.Faults = faultsOf(err, d)
	}
	switch {
	case report.Faults != nil:
		report.Status, report.Counts = Faulty, nil
	case err != nil:
		return nil, err
	}
	return report, w.write(ctx, d, r.Version, report)
}

// faultsOf are the faults of a drop that an error says; nil: it is no fault of the drop.
func faultsOf(err error, d Drop) *dataset.Faults {
	if unmeant, ok := errors.AsType[*loader.UnmeantError](err); ok {
		return faultOf(stack.DropReady, `%v; where that is meant, say so in %s: "yes": true`, unmeant, stack.DropReady)
	}
	if faults, ok := errors.AsType[*dataset.Faults](err); ok {
		return faults
	}
	if deletions, ok := errors.AsType[*integrity.DeletionsError](err); ok {
		return faultOf(stack.DropReady, `%v; where they are meant, say so in %s: "allowDeletes": %d`, err, stack.DropReady, deletions.Total)
	}
	if short, ok := errors.AsType[*loader.MemoryError](err); ok && !errors.As(err, new(*loader.BegunError)) {
		return faultOf(stack.DropReady, "%v. Raise the setting ingestMemory to %d, deploy, and put %s again; above 10240, which is the most, load it from a machine, with --stack of `touchline import`",
			short, (short.Needs>>20)*10/9+1, stack.DropReady)
	}
	if errors.Is(err, syscall.ENOSPC) && !errors.As(err, new(*loader.BegunError)) {
		return faultOf(path.Base(d.Folder), "does not fit on the function's disk, with what the load sorts there: load it from a machine, with --stack of `touchline import`")
	}
	if errors.As(err, new(*loader.UnreadableError)) && !errors.As(err, new(*fs.PathError)) {
		return faultOf(path.Base(d.Folder), "%v", err)
	}
	if errors.Is(err, loader.ErrGoodPartDeletes) {
		return faultOf(stack.DropReady, `%v, such as "allowDeletes": 0`, err)
	}
	if errors.As(err, new(*generation.OtherError)) { // no invocation makes that better
		return faultOf(stack.DropReady, "%v", err)
	}
	if errors.Is(err, journal.ErrOtherVersion) { // only that version helps, or giving the load up
		return faultOf(stack.DropReady, `%v (in a bucket "abandon": true in %s)`, err, stack.DropReady)
	}
	return nil
}

// errReported is the error of a drop that has its report.
var errReported = errors.New("the drop has its report")

// unreported refuses a drop that has the report of a _READY: errReported.
func (w *Worker) unreported(ctx context.Context, d Drop, of Version) error {
	before, err := ReadReport(ctx, w.Objects, d)
	if err == nil && before != nil && before.Ready.Is(of) {
		err = errReported
	}
	return err
}

// bring loads a drop into the table, unless another version takes the loads now.
func (w *Worker) bring(ctx context.Context, d Drop, r ready) (*loader.Report, error) {
	state, err := generation.Read(ctx, w.Table)
	switch {
	case err != nil && !generation.IsEmpty(err):
		return nil, err
	case state.Moved > 0:
		return nil, &generation.MovedError{Table: w.Table.Name, To: state.Moved}
	}
	ctx, cancel := w.within(ctx)
	defer cancel()
	l := loader.Loader{
		Table: w.Table, Lease: w.NewLease(), Patience: w.Patience, KeepDays: w.KeepDays,
		Finished: func(ctx context.Context, name string, counts *loader.Report) error {
			return w.finished(ctx, d.Bucket, name, counts)
		},
	}
	options := r.options
	options.Label, options.File = labelOf(d, r.Version), d.String()
	report, err := l.LoadFrom(ctx, func(ctx context.Context) (fs.FS, error) {
		if err := w.unreported(ctx, d, r.Version); err != nil {
			return nil, err // another worker has reported it while this one waited
		}
		return open(ctx, w.Objects, d)
	}, options)
	if err != nil && errors.Is(context.Cause(ctx), errTime) {
		err = fmt.Errorf("%w: %w", errTime, err)
	}
	return report, err
}

// within makes an invocation end before its deadline. If little time is left, it reserves
// only part of that, so that every invocation makes progress.
func (w *Worker) within(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	left := max(deadline.Sub(w.Now()), 0)
	return context.WithDeadlineCause(ctx, deadline.Add(-min(endBefore, left/4)), errTime)
}

// finished writes the report of the drop that a completed load belongs to. That
// may be the drop of another invocation: its message then finds the report. It does
// nothing for a load by the command, which has no drop, and where the bucket of the
// drop is gone, or is another one. Another bucket is that of a stage from which the
// table was restored; the function has no right to it.
func (w *Worker) finished(ctx context.Context, bucket, name string, counts *loader.Report) error {
	var of label
	if name == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(name), &of); err != nil || of.Folder == "" || of.Bucket != bucket {
		return nil //nolint:nilerr // the label of no drop
	}
	err := w.write(ctx, of.Drop, of.Ready, &Report{Status: Loaded, Counts: counts})
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

func (w *Worker) write(ctx context.Context, d Drop, of Version, report *Report) error {
	report.Ready, report.Ended = of, w.Now()
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", stack.DropReport, err)
	}
	return w.Objects.Put(ctx, d.Bucket, d.Key(stack.DropReport), append(text, '\n'))
}
