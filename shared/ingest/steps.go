package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strconv"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"touchline/shared/accesslog"
	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/conduct"
	"touchline/shared/sport"
	"touchline/shared/stack"
)

// Step is the event of a step of a conducted load.
type Step struct {
	Step    string       `json:"step"` // plan, project, decide, merge, finish or report
	Load    Task         `json:"load"`
	Item    conduct.Item `json:"item"`              // of project and merge
	Outcome string       `json:"outcome,omitempty"` // of report: done, faulty or failed
	Failure failure      `json:"failure"`           // of failed: what Step Functions says of it
}

// Result is what a step returns.
type Result struct {
	// Faulty says that the dataset cannot be loaded (plan, decide).
	Faulty bool `json:"faulty"`
	// Parts and Buckets are the keys of the items of the two Maps (plan). They are
	// always there: a path of the state machine that leads nowhere ends the execution.
	Parts   string `json:"parts"`
	Buckets string `json:"buckets"`
	// Again asks for the same step once more: its time was short (merge).
	Again bool `json:"again"`
}

// Steps does the steps of conducted loads.
type Steps struct {
	Worker  *Worker // without a queue, and without Bulk
	Remover Remover
}

// Handle does a step. Its errors have types of package conduct, by which the state
// machine tells which to repeat: any other is repeated some times.
func (s *Steps) Handle(ctx context.Context, step Step) (*Result, error) {
	from := s.Worker.Now()
	result, err := s.do(ctx, &step)
	s.log(ctx, &step, s.Worker.Now().Sub(from).Milliseconds(), err)
	if err == nil {
		return result, nil
	}
	// Lambda names the type of an error, not of what it wraps.
	if stopped, ok := errors.AsType[*conduct.StoppedError](err); ok {
		return nil, stopped
	}
	s.note(ctx, &step, err)
	if busy, ok := errors.AsType[*conduct.BusyError](err); ok {
		return nil, busy
	}
	if refused, ok := errors.AsType[*conduct.RefusedError](err); ok {
		return nil, refused
	}
	return nil, err
}

// note keeps why a step failed, as far as that works: of what fails in a Map the
// execution knows only that something does.
func (s *Steps) note(ctx context.Context, step *Step, cause error) {
	if step.Load.ID == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endBefore/4)
	defer cancel()
	_ = s.work(&step.Load).Put(ctx, noteOf(&step.Load), []byte(step.name()+": "+cause.Error()))
}

// noteOf is the object with the last error of a step of an execution.
func noteOf(t *Task) string { return fmt.Sprintf("error-%d.txt", t.Number) }

// load is the load of a step.
func (s *Steps) load(t *Task) *conduct.Load {
	return &conduct.Load{ID: t.ID, Number: t.Number, Table: s.Worker.Table, NewLease: s.Worker.NewLease, Folder: s.work(t)}
}

func (s *Steps) work(t *Task) work { return work{s.Worker.Objects, t.Drop.Bucket, workOf(t.ID)} }

func (s *Steps) do(ctx context.Context, step *Step) (*Result, error) {
	ctx, pause, cancel := s.Worker.within(ctx)
	defer cancel()
	load, result := s.load(&step.Load), &Result{}
	switch {
	case step.Load.ID == "" || step.Load.Number < 1 || step.Load.Work != workOf(step.Load.ID):
		return nil, &conduct.RefusedError{Reason: "the step does not say which load it is of"}
	case step.Step == "plan":
		return s.plan(ctx, &step.Load, load)
	case step.Step == "project" && step.Item.Part != nil:
		return result, load.Project(ctx, *step.Item.Part)
	case step.Step == "decide":
		return s.faulty(ctx, &step.Load, result, load.Decide(ctx))
	case step.Step == "merge" && step.Item.Bucket != nil:
		var err error
		result.Again, err = load.Merge(ctx, *step.Item.Bucket, pause)
		return result, err
	case step.Step == "finish":
		return result, s.finish(ctx, &step.Load, load)
	case step.Step == "report":
		return result, s.report(ctx, step, load)
	}
	return nil, &conduct.RefusedError{Reason: fmt.Sprintf("there is no step %q of this form", step.Step)}
}

// plan fetches the drop and plans its load.
func (s *Steps) plan(ctx context.Context, t *Task, load *conduct.Load) (*Result, error) {
	w := s.Worker
	open := func(ctx context.Context) (fs.FS, error) { return w.fetch(ctx, t.Drop) }
	load.TooLarge = w.Limits.tooLargeToProject
	result := &Result{Parts: t.Work + "/" + stack.WorkParts, Buckets: t.Work + "/" + stack.WorkBuckets}
	return s.faulty(ctx, t, result, load.Plan(ctx, open, t.Options.loader(""), w.Now()))
}

// tooLargeToProject refuses a load with a part that the function has too little memory for.
func (l Limits) tooLargeToProject(records int, of *dataset.Record[sport.Competition]) *dataset.Faults {
	if l.Projected == 0 || records <= l.Projected {
		return nil
	}
	faults, at, what := &dataset.Faults{}, dataset.Origin{File: stack.DropReady}, "a team"
	if of != nil {
		at, what = of.Origin, fmt.Sprintf("competition %q", of.Key)
	}
	faults.Add(dataset.Fault{File: at.File, Line: at.Line, Message: fmt.Sprintf("%s has, with its teams, their players, all matches and what these play elsewhere, %d records, and the function bulk has the memory to project %d at once: raise the setting bulkMemory to %d, deploy, and put %s again; above 10240, which is the most, load a part of its matches later",
		what, records, l.Projected, records*partMemory>>20+1, stack.DropReady)})
	return faults
}

const faultsName = "faults.json"

// faulty keeps the faults that a step has ended with, for the report.
func (s *Steps) faulty(ctx context.Context, t *Task, result *Result, err error) (*Result, error) {
	faults := faultsOf(err, t.Drop)
	if faults == nil {
		return result, err
	}
	text, err := json.Marshal(faults)
	if err != nil {
		return nil, err
	}
	return &Result{Faulty: true}, s.work(t).Put(ctx, faultsName, text)
}

// finish ends the load of a drop and reports it.
func (s *Steps) finish(ctx context.Context, t *Task, load *conduct.Load) error {
	var counts *loader.Report
	err := load.Finish(ctx, func(label string, r *loader.Report) error {
		counts = r
		return s.Worker.finished(ctx, t.Drop.Bucket, label, r)
	})
	if err != nil {
		return s.ended(ctx, t, err)
	}
	s.Worker.tell(ctx, counts)
	s.Worker.log(ctx, t.Drop, 0, answer{outcome: string(Loaded), report: &Report{Status: Loaded, Counts: counts}})
	return nil
}

// ended is the error of a step that ends the load: nil where it has done so before, and was
// killed after the head was removed.
func (s *Steps) ended(ctx context.Context, t *Task, err error) error {
	if errors.As(err, new(*conduct.StoppedError)) && errors.Is(s.Worker.unanswered(ctx, t.Drop, t.Ready), errAnswered) {
		return nil
	}
	return err
}

// report says what became of an execution.
func (s *Steps) report(ctx context.Context, step *Step, load *conduct.Load) error {
	t := &step.Load
	switch step.Outcome {
	case "done":
		return s.work(t).remove(ctx, s.Remover)
	case "faulty":
		if err := s.refuse(ctx, t, load); err != nil {
			return err
		}
		return s.work(t).remove(ctx, s.Remover)
	case "failed":
		if err := load.Check(ctx); err != nil {
			return err
		}
		failed := step.Failure
		noted, err := s.work(t).Get(ctx, noteOf(t))
		if err == nil {
			failed.Cause = strings.TrimSpace(failed.Cause + "; the last error of a step: " + string(noted))
		}
		failed.Ended = errors.Is(err, conduct.ErrNoObject) && failed.Error != "Lambda.TooManyRequestsException"
		text, err := json.Marshal(failed)
		if err != nil {
			return err
		}
		return s.work(t).Put(ctx, failureName, text)
	}
	return &conduct.RefusedError{Reason: fmt.Sprintf("there is no outcome %q", step.Outcome)}
}

// refuse reports a faulty drop, and ends its load.
func (s *Steps) refuse(ctx context.Context, t *Task, load *conduct.Load) error {
	text, err := s.work(t).Get(ctx, faultsName)
	if errors.Is(err, conduct.ErrNoObject) {
		err := s.Worker.unanswered(ctx, t.Drop, t.Ready)
		if errors.Is(err, errAnswered) {
			return nil
		}
		return cmp.Or(err, error(&conduct.RefusedError{Reason: "the faults of the dataset are gone"}))
	}
	if err != nil {
		return err
	}
	faults := &dataset.Faults{}
	if err := json.Unmarshal(text, faults); err != nil {
		return fmt.Errorf("read %s: %w", faultsName, err)
	}
	report := &Report{Status: Faulty, Faults: faults}
	err = load.Drop(ctx, func() error { return s.Worker.write(ctx, t.Drop, t.Ready, report) })
	if err != nil {
		return s.ended(ctx, t, err)
	}
	s.Worker.log(ctx, t.Drop, 0, answer{outcome: string(Faulty), report: report})
	return nil
}

// log writes the one line of a step:
//
//	level     INFO; WARN if it failed
//	msg       "step"
//	stage     name of the stage
//	bucket, folder
//	step      with its outcome, part or bucket
//	load, execution
//	durationMillis
//	cause     why it failed
//	readUnits, writeUnits
//	          of DynamoDB, if the table counts them
func (s *Steps) log(ctx context.Context, step *Step, millis int64, err error) {
	w, t := s.Worker, &step.Load
	attrs := []slog.Attr{
		slog.String(accesslog.Dimension, w.Stage), slog.String("bucket", t.Drop.Bucket), slog.String("folder", t.Drop.Folder),
		slog.String("step", step.name()), slog.String("load", t.ID), slog.Int("execution", t.Number), slog.Int64("durationMillis", millis),
	}
	level := slog.LevelInfo
	if err != nil {
		level, attrs = slog.LevelWarn, append(attrs, slog.String("cause", err.Error()))
	}
	w.Log.LogAttrs(ctx, level, "step", append(attrs, w.used()...)...)
}

// name is the step with what it is about.
func (s *Step) name() string {
	name := strings.TrimSpace(s.Step + " " + s.Outcome)
	for _, n := range []*int{s.Item.Part, s.Item.Bucket} {
		if n != nil {
			name += " " + strconv.Itoa(*n)
		}
	}
	return name
}

// Function is both functions: it does a step where the event is one, and else passes
// on the messages of a queue.
type Function struct {
	Receiver *Receiver
	Steps    *Steps
}

// Handle is the function for lambda.Start.
func (f *Function) Handle(ctx context.Context, event json.RawMessage) (any, error) {
	var step Step
	if err := json.Unmarshal(event, &step); err == nil && step.Step != "" {
		return f.Steps.Handle(ctx, step)
	}
	var messages events.SQSEvent
	if err := json.Unmarshal(event, &messages); err != nil {
		return nil, fmt.Errorf("the event is neither of a queue nor a step: %w", err)
	}
	return f.Receiver.Handle(ctx, messages)
}
