package ingest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/conduct"
	"touchline/shared/stack"
)

// Bulk says which loads Step Functions conducts.
type Bulk struct {
	Machine Machine
	// From bounds, in bytes, the files of a drop as they lie in the bucket: the first load
	// of a table is conducted if they take as much or more. 0: none is begun.
	From int64
}

// Machine is a state machine of Step Functions.
type Machine interface {
	// Start starts an execution. Started again with the same input it is the same
	// execution, also if it has ended.
	Start(ctx context.Context, name string, input []byte) error
	// Status is that of an execution; ErrNotFound where no execution has the name.
	Status(ctx context.Context, name string) (string, error)
	// Execution is the ARN of an execution.
	Execution(name string) string
}

// The statuses of an execution that has not ended.
const (
	running  = "RUNNING"
	redriven = "PENDING_REDRIVE"
)

// Task is what the steps of an execution are told.
type Task struct {
	ID      string  `json:"id"`     // of the load
	Number  int     `json:"number"` // of the execution, from 1
	Drop    Drop    `json:"drop"`
	Ready   Version `json:"ready"`
	Options Options `json:"options"`
	Work    string  `json:"work"` // the folder of the load, in the bucket of the drop
}

// nameOf is the name of an execution.
func nameOf(load string, number int) string { return fmt.Sprintf("%s-%d", load, number) }

// start starts the execution that a head names.
func (b *Bulk) start(ctx context.Context, head *commit.Head) error {
	var task Task
	if err := json.Unmarshal([]byte(head.Conducted.Task), &task); err != nil {
		return fmt.Errorf("read what load %s is to do: %w", head.ID, err)
	}
	task.Number = head.Conducted.Number
	input, err := json.Marshal(map[string]Task{"load": task})
	if err != nil {
		return err
	}
	return b.Machine.Start(ctx, nameOf(head.ID, task.Number), input)
}

// longestPoll is how long a message waits at most for a load that is conducted.
const longestPoll = 5 * time.Minute

// conducted is the answer while a load is conducted.
func conducted(v *visit, cause error) answer {
	return answer{outcome: "conducted", again: true, wait: min(pause(v.received), longestPoll), cause: cause}
}

// conduct has Step Functions load a drop, or waits for the load that it conducts. The
// answer is zero where the drop is to be loaded by this function.
func (w *Worker) conduct(ctx context.Context, v *visit) (a answer, err error) {
	head, err := conduct.Head(ctx, w.Table)
	if err != nil {
		return a, err
	}
	if head != nil && (head.Conducted.Stopped || v.ready.options.Abandon && head.Label != v.label()) {
		if err := w.holding(ctx, head, func(h *conduct.Held) error { return h.Abandon(ctx) }); err != nil {
			return a, err
		}
		head = nil
	}
	if head != nil {
		return w.follow(ctx, v, head)
	}
	if large, err := w.large(ctx, v); err != nil || !large {
		return a, err
	}
	begun, err := w.begin(ctx, v)
	if err != nil || !begun {
		return a, err
	}
	return conducted(v, nil), nil
}

// holding does something under the lease of the table while a head is there.
func (w *Worker) holding(ctx context.Context, head *commit.Head, do func(*conduct.Held) error) error {
	return conduct.Hold(ctx, w.Table, w.NewLease(), func(h *conduct.Held) error {
		if h.Head == nil || h.Head.Conducted == nil || h.Head.ID != head.ID || h.Head.Conducted.Number != head.Conducted.Number {
			return nil // what is to be done is done, or not needed any more
		}
		return do(h)
	})
}

// large reports whether a drop is to be conducted, if it is the first of its table.
func (w *Worker) large(ctx context.Context, v *visit) (bool, error) {
	if w.Bulk.From <= 0 || v.ready.options.DryRun {
		return false, nil
	}
	empty, err := loader.Empty(ctx, w.Table)
	if err != nil || !empty {
		return false, err
	}
	found, err := w.Objects.List(ctx, v.Bucket, v.Folder, w.Limits.Files)
	if err != nil {
		return false, err
	}
	size := int64(0)
	for _, o := range found {
		if name := path.Base(o.Key); dataset.IsFile(name) || IsArchive(name) {
			size += o.Size
		}
	}
	return size >= w.Bulk.From, nil
}

// begin begins a conducted load. It reports whether it has: the table may hold
// something by now, or a load that was interrupted.
func (w *Worker) begin(ctx context.Context, v *visit) (begun bool, err error) {
	id := rand.Text()
	task, err := json.Marshal(Task{ID: id, Drop: v.Drop, Ready: v.ready.Version, Options: v.ready.options, Work: workOf(id)})
	if err != nil {
		return false, err
	}
	err = conduct.Hold(ctx, w.Table, w.NewLease(), func(h *conduct.Held) error {
		if h.Head != nil {
			return nil
		}
		if err := w.unanswered(ctx, v.Drop, v.ready.Version); err != nil {
			return err // by another worker, since this one has asked
		}
		if err := w.attempt(ctx, v, position(id, v.label(), conduct.Progress{})); err != nil {
			return err
		}
		if begun, err = h.Begin(ctx, id, v.label(), string(task), w.Bulk.Machine.Execution(nameOf(id, 1))); err != nil || !begun {
			return err
		}
		return w.Bulk.start(ctx, h.Head)
	})
	return begun, err
}

// position says how far a load is that is conducted.
func position(id, label string, p conduct.Progress) commit.Position {
	return commit.Position{Journal: id, Label: label, Reached: fmt.Sprint(p.Parts > 0, p.Projected, p.Merged)}
}

// attempt counts an attempt at a drop by an execution, and notes it.
func (w *Worker) attempt(ctx context.Context, v *visit, at commit.Position) error {
	if err := w.another(ctx, v, at); err != nil || v.attempts.Count > Attempts {
		return err
	}
	return writeAnswer(ctx, w.Objects, v.Drop, stack.DropProgress, Progress{What: "beginning", At: w.Now(), Attempts: v.attempts})
}

// follow waits for a load that is conducted, and begins another execution of one that
// has ended early.
func (w *Worker) follow(ctx context.Context, v *visit, head *commit.Head) (answer, error) {
	folder, waits := work{w.Objects, v.Bucket, workOf(head.ID)}, conducted(v, nil)
	var of label
	if err := json.Unmarshal([]byte(head.Label), &of); err != nil || of.Bucket != v.Bucket {
		waits.alarm = true // nobody here can go on with it
		waits.cause = fmt.Errorf("%w; it was begun from another bucket", head.Conducting())
		return waits, nil
	}
	status, err := w.Bulk.Machine.Status(ctx, nameOf(head.ID, head.Conducted.Number))
	switch {
	case errors.Is(err, ErrNotFound): // who wrote the head did not get so far
		return waits, w.Bulk.start(ctx, head)
	case err != nil:
		return answer{}, err
	case status == running, status == redriven:
		if of.Drop == v.Drop {
			err = w.show(ctx, v.Drop, folder)
		}
		return waits, err
	}
	cause := endedError(ctx, folder, status)
	a := conducted(v, cause)
	err = w.holding(ctx, head, func(h *conduct.Held) error {
		p, err := conduct.ProgressOf(ctx, folder)
		if err != nil {
			return err
		}
		if err := w.attempt(ctx, v, position(head.ID, head.Label, p)); err != nil {
			return err
		}
		if most := mostOf(cause); v.attempts.Count > most {
			a = w.giveUp(ctx, v, pause(v.received), cause, fmt.Sprintf("%d executions got no further; the last one: %v", most, cause))
			if a.again || h.Head.Label != v.label() || h.Head.Conducted.Decided > 0 {
				return nil // whoever comes next goes on with what is in the table
			}
			return h.Abandon(ctx)
		}
		if err := h.Again(ctx, w.Bulk.Machine.Execution(nameOf(head.ID, head.Conducted.Number+1))); err != nil {
			return err
		}
		return w.Bulk.start(ctx, h.Head)
	})
	return a, err
}

// show writes the progress of a drop that is conducted.
func (w *Worker) show(ctx context.Context, d Drop, folder work) error {
	p, err := conduct.ProgressOf(ctx, folder)
	if err != nil {
		return err
	}
	progress := Progress{What: p.String(), At: w.Now()}
	if before, err := ReadProgress(ctx, w.Objects, d); err == nil && before != nil {
		progress.Attempts = before.Attempts
	}
	return writeAnswer(ctx, w.Objects, d, stack.DropProgress, progress)
}

// failure is what is noted of a step that failed for good.
type failure struct {
	Error string `json:"Error"`
	Cause string `json:"Cause"`
	// Ended says that no step of the execution has said what was wrong: the process of the
	// one that failed had ended.
	Ended bool `json:"ended,omitempty"`
}

const failureName = "failed.json"

// mostEnded is how many executions in a row may get no further because a step ran out
// of memory or time. In each of them a step is tried four times (package infra).
const mostEnded = 2

// tooSmallError is the error of an execution with a step that ran out of memory or time.
type tooSmallError struct{ error }

// mostOf is how many executions may get no further, by the error of the last one.
func mostOf(cause error) int {
	if errors.As(cause, new(tooSmallError)) {
		return mostEnded
	}
	return Attempts
}

// endedError says why an execution has ended, as far as that is known.
func endedError(ctx context.Context, folder work, status string) error {
	text, err := folder.Get(ctx, failureName)
	var f failure
	if err != nil || json.Unmarshal(text, &f) != nil {
		return fmt.Errorf("the execution ended: %s", strings.ToLower(status))
	}
	err = fmt.Errorf("the execution ended: %s: %s: %s", strings.ToLower(status), f.Error, f.Cause)
	if f.Ended {
		err = tooSmallError{fmt.Errorf("%w; no step says why, so one has run out of memory or time: raise the setting bulkMemory, which gives more of both, deploy, and put %s again", err, stack.DropReady)}
	}
	return err
}
