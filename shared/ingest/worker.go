package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
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

// Receives is how often the message of a drop may be received before the drop is
// given up. With the pauses between them they take six hours at least.
const Receives = 30

// errEnded is the error of a drop whose last invocations ended with their process.
var errEnded = fmt.Errorf("not loaded in %d invocations: the dataset may need more memory or time than the function has", Receives)

// Worker loads drops.
type Worker struct {
	Objects  Objects
	Table    *store.Table
	NewLease func() *store.Lease // each for a new holder
	// Patience is how long to wait for another load before the message goes
	// back.
	Patience time.Duration
	KeepDays int    // see loader.Loader
	Dir      string // for downloads, made where missing; emptied after each drop
	Limits   Limits
	Stage    string
	Now      func() time.Time
	Log      *slog.Logger
}

// result is the outcome of an invocation for a drop.
type result struct {
	outcome string        // for the log
	report  *Report       // nil: none to write
	again   bool          // the message goes back
	wait    time.Duration // before the message comes again
	cause   error         // why again, or why the drop is given up
	took    time.Duration // of this invocation
}

// visit is an invocation for a drop, and what it has found out.
type visit struct {
	Drop
	ready    ready
	received int // how often the message was received
}

// Load loads a drop whose message was received for the n-th time, from 1. It
// reports whether the message goes back, and how long to wait before it comes
// again.
func (w *Worker) Load(ctx context.Context, d Drop, received int) (again bool, wait time.Duration) {
	from, v := w.Now(), &visit{Drop: d, received: received}
	a, err := w.load(ctx, v)
	switch {
	case errors.Is(err, errReported):
		a = result{outcome: "answered before"}
	case err != nil:
		a = w.failed(ctx, v, err)
	}
	a.took = w.Now().Sub(from)
	w.log(ctx, d, received, a)
	return a.again, a.wait
}

func (w *Worker) load(ctx context.Context, v *visit) (a result, err error) {
	v.ready, err = readReady(ctx, w.Objects, v.Drop)
	if errors.Is(err, ErrNotFound) {
		return result{outcome: "deleted"}, nil
	}
	if err != nil {
		return a, err
	}
	if err := w.unreported(ctx, v.Drop, v.ready.Version); err != nil {
		return a, err
	}
	if v.ready.fault != "" {
		return w.report(ctx, v, &Report{Status: Faulty, Faults: faultOf(stack.DropReady, "%s", v.ready.fault)})
	}
	if v.received > Receives {
		return w.giveUp(ctx, v, errEnded, errEnded.Error()), nil
	}
	report, err := w.bring(ctx, v)
	if err == nil {
		return w.report(ctx, v, &Report{Status: Loaded, Counts: report, DryRun: v.ready.options.DryRun})
	}
	if faults := faultsOf(err, v.Drop); faults != nil {
		return w.report(ctx, v, &Report{Status: Faulty, Faults: faults})
	}
	return a, err
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
		return faultOf(filepath.Base(d.Folder), "does not fit on the function's disk, with what the load sorts there: load it from a machine, with --stack of `touchline import`")
	}
	if errors.As(err, new(*loader.UnreadableError)) {
		return faultOf(filepath.Base(d.Folder), "%v", err)
	}
	return nil
}

// errReported is the error of a drop that has its report.
var errReported = errors.New("the drop has its report")

// unreported refuses a drop that has the report of a _READY: errReported.
func (w *Worker) unreported(ctx context.Context, d Drop, of Version) error {
	before, err := ReadReport(ctx, w.Objects, d)
	switch {
	case errors.Is(err, errForeign):
		return nil // not ours: it is overwritten
	case err != nil:
		return err
	// A message that was sent again by hand is worth another attempt after a
	// failure.
	case before != nil && before.Status != Failed && before.Ready.Is(of):
		return errReported
	}
	return nil
}

// bring loads a drop into the table, unless another version takes the loads now.
func (w *Worker) bring(ctx context.Context, v *visit) (*loader.Report, error) {
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
			return w.finished(ctx, v.Bucket, name, counts)
		},
	}
	options := v.ready.options
	options.Label, options.File = v.label(), v.String()
	report, err := l.LoadFrom(ctx, func(ctx context.Context) (fs.FS, error) {
		if err := w.unreported(ctx, v.Drop, v.ready.Version); err != nil {
			return nil, err // another worker has reported it while this one waited
		}
		return w.fetch(ctx, v.Drop)
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

func (w *Worker) report(ctx context.Context, v *visit, report *Report) (result, error) {
	return result{outcome: string(report.Status), report: report}, w.write(ctx, v.Drop, v.ready.Version, report)
}

func (w *Worker) write(ctx context.Context, d Drop, of Version, report *Report) error {
	report.Ready, report.Ended = of, w.Now()
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", stack.DropReport, err)
	}
	return w.Objects.Put(ctx, d.Bucket, d.Key(stack.DropReport), append(text, '\n'))
}

// giveUp reports a drop as failed. Where that does not work the message comes back
// after a wait.
func (w *Worker) giveUp(ctx context.Context, v *visit, cause error, message string) result {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endBefore/2)
	defer cancel()
	a := result{outcome: string(Failed), cause: cause, report: &Report{Status: Failed, Message: message}}
	if err := w.write(ctx, v.Drop, v.ready.Version, a.report); err != nil {
		a.again, a.wait, a.cause = true, pause(v.received), errors.Join(cause, err)
	}
	return a
}

// failed sends a message back, or gives the drop up if it was received too often.
func (w *Worker) failed(ctx context.Context, v *visit, cause error) result {
	switch {
	case errors.Is(cause, errTime) && v.received < Receives:
		return result{outcome: "paused", again: true, cause: cause}
	case errors.As(cause, new(*generation.OtherError)): // no invocation makes that better
		return w.giveUp(ctx, v, cause, cause.Error())
	case errors.Is(cause, journal.ErrOtherVersion): // only that version helps, or giving the load up
		return w.giveUp(ctx, v, cause, fmt.Sprintf(`%v (in a bucket "abandon": true in %s)`, cause, stack.DropReady))
	case v.received >= Receives:
		return w.giveUp(ctx, v, cause, fmt.Sprintf("not loaded in %d invocations; the last error: %v", Receives, cause))
	}
	outcome := "again"
	// The version that takes loads now takes the message of a table that has moved.
	if errors.As(cause, new(*generation.MovedError)) || errors.As(cause, new(*store.HeldError)) {
		outcome = "waiting"
	}
	return result{outcome: outcome, again: true, wait: pause(v.received), cause: cause}
}
