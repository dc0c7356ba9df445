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
	// Parallel is how many items of a Map are worked on at once, at most as many
	// as its MaxConcurrency allows; 0: one.
	Parallel int
	// Passes is called where time passes, with how much; nil: not. Leases run out
	// then. Several goroutines call it where Parallel says so.
	Passes func(time.Duration)

	mu     sync.Mutex
	result Result
}

// Run runs the machine on an input until it ends. If the context is cancelled,
// the execution is aborted before its next state. The error is one of the
// world's, or of the input: no result of an execution.
func (e *Execution) Run(ctx context.Context, input []byte) (*Result, error) {
	var v any
	if err := decode(input, &v); err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	e.result = Result{Status: Succeeded, Visits: map[string]int{}}
	walk := &walk{Execution: e, flow: &e.Machine.flow}
	output, err := walk.run(ctx, v)
	result := &e.result
	result.Waited = walk.waited
	var failure *Failure
	switch {
	case err == nil:
		result.Output, err = json.Marshal(output)
		return result, err
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
	flow   *flow
	above  string        // before the names of states
	waited time.Duration // since the execution began
}

// count counts a transition into a state; "" is a retry, or an item of a Map.
func (w *walk) count(state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.result.Transitions++
	if state != "" {
		w.result.Visits[w.above+state]++
	}
}

func (w *walk) run(ctx context.Context, input any) (any, error) {
	for name := w.flow.StartAt; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := w.flow.States[name]
		w.count(name)
		output, next, err := w.step(ctx, name, s, input)
		if err == nil {
			err = fits(output)
		}
		if err != nil {
			output, next, err = s.caught(input, err)
		}
		if err != nil || next == "" {
			return output, err
		}
		name, input = next, output
	}
}

// step is the output of a state and the one that follows, "" at the end.
func (w *walk) step(ctx context.Context, name string, s *state, input any) (output any, next string, err error) {
	output, next = input, s.Next
	switch s.Type {
	case "Fail":
		return nil, "", &Failure{Name: s.Error, Cause: s.Cause}
	case "Choice":
		next, err = s.chosen(data{"$": input})
	case "Task", "Map":
		work := w.invoke
		if s.Type == "Map" {
			work = w.items
		}
		var result any
		if result, err = w.retried(ctx, s, func() (any, error) { return work(ctx, name, s, input) }); err == nil {
			output, err = s.ResultPath.put(input, result)
		}
	}
	if s.OutputPath.given {
		output = map[string]any{}
	}
	return output, next, err
}

// invoke is the result of a Task, once.
func (w *walk) invoke(ctx context.Context, _ string, s *state, input any) (any, error) {
	arguments, err := s.Parameters.filled(data{"$": input})
	if err != nil {
		return nil, err
	}
	payload, err := json.Marshal(arguments["Payload"])
	if err != nil {
		return nil, err
	}
	if err := fits(arguments); err != nil {
		return nil, err
	}
	answer, err := w.World.Invoke(ctx, fmt.Sprint(arguments["FunctionName"]), payload)
	if err != nil {
		return nil, err
	}
	var v any
	if err := decode(answer, &v); err != nil {
		return nil, fmt.Errorf("the function answered %q: %w", answer, err)
	}
	result := map[string]any{"Payload": v, "StatusCode": json.Number("200"), "ExecutedVersion": "$LATEST"}
	if s.ResultSelector == nil {
		return result, nil
	}
	return s.ResultSelector.filled(data{"$": result})
}

// items are the outputs of the items of a Map, in their order.
func (w *walk) items(ctx context.Context, name string, s *state, input any) (any, error) {
	list, err := w.read(ctx, s.ItemReader.Parameters, data{"$": input})
	if err != nil {
		return nil, err
	}
	outputs, errs, waits := make([]any, len(list)), make([]error, len(list)), make([]time.Duration, len(list))
	most := max(w.Parallel, 1)
	if s.MaxConcurrency > 0 {
		most = min(most, s.MaxConcurrency)
	}
	var group sync.WaitGroup
	free := make(chan struct{}, most)
	failed, fail := context.WithCancel(context.Background())
	defer fail()
	for i, item := range list {
		if free <- struct{}{}; failed.Err() != nil { // no other is begun
			break
		}
		group.Go(func() {
			defer func() { <-free }()
			below := &walk{Execution: w.Execution, flow: s.ItemProcessor, above: w.above + name + "/", waited: w.waited}
			if outputs[i], errs[i] = below.item(ctx, s, input, item); errs[i] != nil {
				fail()
			}
			waits[i] = below.waited
		})
	}
	group.Wait()
	w.waited = slices.Max(append(waits, w.waited))
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
func (w *walk) read(ctx context.Context, where template, d data) (list []any, err error) {
	from, err := where.filled(d)
	if err != nil {
		return nil, err
	}
	raw, err := w.World.Object(ctx, fmt.Sprint(from["Bucket"]), fmt.Sprint(from["Key"]))
	if err != nil {
		return nil, err
	}
	if err := decode(raw, &list); err != nil {
		return nil, &Failure{Name: "States.ItemReaderFailed", Cause: err.Error()}
	}
	return list, nil
}

// item is the output of an execution for one item of a Map.
func (w *walk) item(ctx context.Context, s *state, input, item any) (any, error) {
	w.count("")
	selected, err := s.ItemSelector.filled(data{"$": input, "$$": map[string]any{"Map": map[string]any{"Item": map[string]any{"Value": item}}}})
	if err == nil {
		err = fits(selected)
	}
	if err != nil {
		return nil, err
	}
	return w.run(ctx, any(selected))
}

func (s *state) chosen(d data) (string, error) {
	for _, c := range s.Choices {
		v, err := c.Variable.of(d)
		if err != nil {
			return "", err
		}
		if v == c.BooleanEquals {
			return c.Next, nil
		}
	}
	return s.Default, nil
}
