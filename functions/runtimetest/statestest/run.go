package statestest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// World is what an execution reaches. Several goroutines use it at once.
type World interface {
	// Invoke invokes a function and returns its answer. A *Failure is an error
	// with the name that Step Functions gives it: Lambda.TooManyRequestsException,
	// Lambda.Unknown for a process that was killed, what a function calls its
	// error. Any other error ends the execution.
	Invoke(ctx context.Context, function string, payload []byte) ([]byte, error)
	// Object is an object of S3.
	Object(ctx context.Context, bucket, key string) ([]byte, error)
}

// Failure is an error that states retry and catch by its name.
type Failure struct{ Name, Cause string }

func (f *Failure) Error() string { return f.Name + ": " + f.Cause }

// Statuses of an execution that has ended, as DescribeExecution has them.
const (
	Succeeded = "SUCCEEDED"
	Failed    = "FAILED"
	TimedOut  = "TIMED_OUT"
	Aborted   = "ABORTED"
)

// Names of errors that Step Functions itself gives.
const (
	runtimeError  = "States.Runtime"
	dataError     = "States.DataLimitExceeded"
	mapError      = "States.ExceedToleratedFailureThreshold"
	timeoutError  = "States.Timeout"
	everyError    = "States.ALL"
	everyTaskFail = "States.TaskFailed"
)

// limit is the most data that a state takes or gives, in bytes.
const limit = 256 << 10

// Result is how an execution has ended.
type Result struct {
	Status       string
	Error, Cause string          // of an execution that failed
	Output       json.RawMessage // of one that succeeded
	// Visits is how often each state was entered, by its name as in
	// [Machine.States].
	Visits map[string]int
	// Transitions is what is charged for: each entry of a state, a retry too, and
	// each item of a Map.
	Transitions int
	// Waited is the time between attempts; of a Map, that of the item that waited
	// longest.
	Waited time.Duration
}

// Execution is a run of a machine.
type Execution struct {
	Machine *Machine
	World   World
	Name    string
	// Parallel is how many items of a Map are worked on at once, at most as many
	// as its MaxConcurrency allows; 0: one.
	Parallel int
	// Passes is called where time passes, with how much; nil: not. Leases run out
	// then. Several goroutines call it where Parallel says so.
	Passes func(time.Duration)

	mu          sync.Mutex
	visits      map[string]int
	transitions int
}

// Run runs the machine on an input until it ends. If the context is cancelled,
// the execution is aborted before its next state. The error is one of the
// world's, or of the input: no result of an execution.
func (e *Execution) Run(ctx context.Context, input []byte) (*Result, error) {
	var v any
	if err := decode(input, &v); err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	e.visits, e.transitions = map[string]int{}, 0
	execution := map[string]any{"Id": "execution:" + e.Name, "Name": e.Name}
	walk := &walk{Execution: e, flow: e.Machine.flow, context: map[string]any{"Execution": execution}, until: e.Machine.timeout}
	output, err := walk.run(ctx, v)
	result := &Result{Status: Succeeded, Visits: e.visits, Transitions: e.transitions, Waited: walk.waited}
	var failure *Failure
	switch {
	case err == nil:
		if result.Output, err = json.Marshal(output); err != nil {
			return nil, err
		}
	case errors.Is(err, errLate):
		result.Status = TimedOut
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		result.Status = Aborted
	case errors.As(err, &failure):
		result.Status, result.Error, result.Cause = Failed, failure.Name, failure.Cause
	default:
		return nil, err
	}
	return result, nil
}

// errLate ends an execution that has waited longer than its machine allows.
var errLate = errors.New("the execution has timed out")

// walk is a way through a flow: that of the machine, or of an item of a Map.
type walk struct {
	*Execution
	flow    *flow
	above   string // before the names of states
	context map[string]any
	until   time.Duration // 0: no limit
	waited  time.Duration
}

func (w *walk) enter(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.visits[w.above+name]++
	w.transitions++
}

// again counts a retry, or an item of a Map.
func (w *walk) again() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.transitions++
}

func (w *walk) run(ctx context.Context, input any) (any, error) {
	for name := w.flow.StartAt; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := w.flow.States[name]
		w.enter(name)
		output, next, err := w.step(ctx, name, s, input)
		if err == nil {
			err = fits(output)
		}
		if err != nil {
			output, next, err = s.caught(input, err)
		}
		if err != nil {
			return nil, err
		}
		if next == "" {
			return output, nil
		}
		name, input = next, output
	}
}

// step is the output of a state and the one that follows, "" at the end.
func (w *walk) step(ctx context.Context, name string, s *state, whole any) (any, string, error) {
	d := data{whole, w.context}
	input, err := selected(s.InputPath, d)
	if err != nil {
		return nil, "", err
	}
	d.input = input
	next := s.Next
	switch s.Type {
	case "Fail":
		return nil, "", &Failure{Name: s.Error, Cause: s.Cause}
	case "Succeed":
	case "Choice":
		if next, err = s.chosen(d); err != nil {
			return nil, "", err
		}
	default:
		result, err := w.retried(ctx, s, func() (any, error) { return w.work(ctx, name, s, d) })
		if err != nil {
			return nil, "", err
		}
		if input, err = placed(s.ResultPath, input, result); err != nil {
			return nil, "", err
		}
	}
	output, err := selected(s.OutputPath, data{input, w.context})
	return output, next, err
}

// work is the result of a Task, a Map or a Pass, once.
func (w *walk) work(ctx context.Context, name string, s *state, d data) (any, error) {
	arguments := d.input
	var err error
	if s.Parameters != nil {
		if arguments, err = s.Parameters.filled(d); err != nil {
			return nil, err
		}
	}
	var result any
	switch s.Type {
	case "Pass":
		if result = arguments; s.Result != nil {
			result = s.Result
		}
		return result, nil
	case "Task":
		result, err = w.invoke(ctx, arguments)
	case "Map":
		result, err = w.items(ctx, name, s, d)
	}
	if err != nil || s.ResultSelector == nil {
		return result, err
	}
	return s.ResultSelector.filled(data{result, w.context})
}

func (w *walk) invoke(ctx context.Context, arguments any) (any, error) {
	object, _ := arguments.(map[string]any)
	payload, err := json.Marshal(object["Payload"])
	if err != nil {
		return nil, err
	}
	if err := fits(arguments); err != nil {
		return nil, err
	}
	answer, err := w.World.Invoke(ctx, fmt.Sprint(object["FunctionName"]), payload)
	if err != nil {
		return nil, err
	}
	var v any
	if err := decode(answer, &v); err != nil {
		return nil, fmt.Errorf("the function answered %q: %w", answer, err)
	}
	return map[string]any{"Payload": v, "StatusCode": json.Number("200"), "ExecutedVersion": "$LATEST"}, nil
}

// items are the outputs of the items of a Map, in their order.
func (w *walk) items(ctx context.Context, name string, s *state, d data) (any, error) {
	list, err := w.read(ctx, s.ItemReader, d)
	if err != nil {
		return nil, err
	}
	outputs, errs, waits := make([]any, len(list)), make([]error, len(list)), make([]time.Duration, len(list))
	var group sync.WaitGroup
	most := max(w.Parallel, 1)
	if s.MaxConcurrency > 0 {
		most = min(most, s.MaxConcurrency)
	}
	free := make(chan struct{}, most)
	failed := make(chan struct{})
	var once sync.Once
	for i, item := range list {
		free <- struct{}{}
		select {
		case <-failed: // no other is begun
		default:
			group.Go(func() {
				defer func() { <-free }()
				outputs[i], waits[i], errs[i] = w.item(ctx, name, s, d, i, item)
				if errs[i] != nil {
					once.Do(func() { close(failed) })
				}
			})
			continue
		}
		break
	}
	group.Wait()
	w.waited += slices.Max(append(waits, 0))
	for _, err := range errs {
		if _, failure := errors.AsType[*Failure](err); failure { // which does not say why
			return nil, &Failure{Name: mapError, Cause: "The specified tolerated failure threshold was exceeded"}
		}
		if err != nil {
			return nil, err
		}
	}
	return outputs, nil
}

// read reads the items of a Map.
func (w *walk) read(ctx context.Context, r *itemReader, d data) ([]any, error) {
	arguments, err := r.Parameters.filled(d)
	if err != nil {
		return nil, err
	}
	object, _ := arguments.(map[string]any)
	raw, err := w.World.Object(ctx, fmt.Sprint(object["Bucket"]), fmt.Sprint(object["Key"]))
	if err != nil {
		return nil, err
	}
	var list []any
	if err := decode(raw, &list); err != nil {
		return nil, &Failure{Name: "States.ItemReaderFailed", Cause: err.Error()}
	}
	return list, nil
}

// item is the output of an execution for one item of a Map.
func (w *walk) item(ctx context.Context, name string, s *state, d data, i int, item any) (any, time.Duration, error) {
	w.again()
	context := map[string]any{
		"Execution": w.context["Execution"],
		"Map":       map[string]any{"Item": map[string]any{"Index": json.Number(fmt.Sprint(i)), "Value": item}},
	}
	input := item
	if s.ItemSelector != nil {
		var err error
		if input, err = s.ItemSelector.filled(data{d.input, context}); err != nil {
			return nil, 0, err
		}
	}
	if err := fits(input); err != nil {
		return nil, 0, err
	}
	// The context of the item is known to the selector alone.
	below := &walk{Execution: w.Execution, flow: &s.ItemProcessor.flow, above: w.above + name + "/", context: map[string]any{"Execution": w.context["Execution"]}, until: w.left()}
	output, err := below.run(ctx, input)
	return output, below.waited, err
}

// left is how long may still be waited; 0: no limit.
func (w *walk) left() time.Duration {
	if w.until == 0 {
		return 0
	}
	return max(w.until-w.waited, 1)
}

func (s *state) chosen(d data) (string, error) {
	for _, c := range s.Choices {
		v, err := c.Variable.path.of(d)
		if err != nil {
			return "", err
		}
		if c.BooleanEquals != nil && v == *c.BooleanEquals || c.StringEquals != nil && v == *c.StringEquals {
			return c.Next, nil
		}
	}
	if s.Default == "" {
		return "", &Failure{Name: "States.NoChoiceMatched", Cause: "no choice matches, and there is no default"}
	}
	return s.Default, nil
}

// selected is the part of the data that a path selects: nothing, {}, by null.
func selected(by selector, d data) (any, error) {
	p := by.orWhole()
	if p == nil {
		return map[string]any{}, nil
	}
	return p.of(d)
}

// placed is the input with the result at a path: the input alone by null.
func placed(at selector, input, result any) (any, error) {
	p := at.orWhole()
	if p == nil {
		return input, nil
	}
	return p.put(input, result)
}

// fits checks the size of data.
func fits(v any) error {
	raw, err := json.Marshal(v)
	if err == nil && len(raw) > limit {
		err = &Failure{Name: dataError, Cause: fmt.Sprintf("%d bytes, at most %d", len(raw), limit)}
	}
	return err
}
