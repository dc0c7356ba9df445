package statestest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/functions/runtimetest/statestest"
)

// world is a World of functions and objects by name.
type world struct {
	functions map[string]func(payload string) (string, error)
	objects   map[string]string

	mu      sync.Mutex
	invoked []string
}

func (w *world) Invoke(_ context.Context, function string, payload []byte) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.invoked = append(w.invoked, function+" "+string(payload))
	answer, err := w.functions[function](string(payload))
	return []byte(answer), err
}

func (w *world) Object(_ context.Context, bucket, key string) ([]byte, error) {
	text, ok := w.objects[bucket+"/"+key]
	if !ok {
		return nil, &statestest.Failure{Name: "States.ItemReaderFailed", Cause: "no such key"}
	}
	return []byte(text), nil
}

// answers gives one answer after the other; an error is written !Name.
func answers(list ...string) func(string) (string, error) {
	n := -1
	return func(string) (string, error) {
		n++
		if name, failed := strings.CutPrefix(list[n], "!"); failed {
			return "", &statestest.Failure{Name: name, Cause: "as the test wants it"}
		}
		return list[n], nil
	}
}

// task is a Task that invokes f, with more fields.
func task(more string) string {
	return `{"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f", "Payload": {"a.$": "$.a"}}, ` + more + `}`
}

// machine is a machine of states.
func machine(start, states string) string {
	return fmt.Sprintf(`{"StartAt": %q, "TimeoutSeconds": 3600, "States": {%s}}`, start, states)
}

func mapping(more string) string {
	return `{"Type": "Map", "Label": "L",
		"ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"}, "Parameters": {"Bucket.$": "$.bucket", "Key": "list"}},
		"ItemSelector": {"a.$": "$$.Map.Item.Value", "all.$": "$.bucket"},
		"ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "One", "States": {"One": ` +
		task(`"ResultSelector": {"got.$": "$.Payload"}, "ResultPath": "$.out", "Retry": [{"ErrorEquals": ["Again"], "IntervalSeconds": 60}], "End": true`) + `}}, ` + more + `}`
}

func run(t *testing.T, definition, input string, w *world, parallel int) *statestest.Result {
	t.Helper()
	m, err := statestest.Parse([]byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	var passed atomic.Int64
	e := statestest.Execution{Machine: m, World: w, Parallel: parallel, Passes: func(d time.Duration) { passed.Add(int64(d)) }}
	result, err := e.Run(t.Context(), []byte(input))
	if err != nil {
		t.Fatal(err)
	}
	if got := time.Duration(passed.Load()); got != result.Waited {
		t.Errorf("%v have passed, it waited %v", got, result.Waited)
	}
	return result
}

func TestStatesDoWhatTheLanguageSays(t *testing.T) {
	for name, tt := range map[string]struct {
		states, input string // the machine starts at S
		answers       []string
		want          statestest.Result
	}{
		"a task's answer takes the place of its input": {`"S": ` + task(`"End": true`), `{"a": 1}`, []string{`{"b": 2}`},
			statestest.Result{Status: "SUCCEEDED", Output: json.RawMessage(`{"ExecutedVersion":"$LATEST","Payload":{"b":2},"StatusCode":200}`), Transitions: 1}},
		"a part of it beside its input": {`"S": ` + task(`"ResultSelector": {"b.$": "$.Payload.b", "c": 3}, "ResultPath": "$.x", "End": true`), `{"a": 1}`, []string{`{"b": 2}`},
			statestest.Result{Status: "SUCCEEDED", Output: json.RawMessage(`{"a":1,"x":{"b":2,"c":3}}`), Transitions: 1}},
		"nothing of it": {`"S": ` + task(`"ResultPath": null, "End": true`), `{"a": 1}`, []string{`{}`},
			statestest.Result{Status: "SUCCEEDED", Output: json.RawMessage(`{"a":1}`), Transitions: 1}},
		"nothing at all": {`"S": ` + task(`"OutputPath": null, "End": true`), `{"a": 1}`, []string{`{}`},
			statestest.Result{Status: "SUCCEEDED", Output: json.RawMessage(`{}`), Transitions: 1}},
		"a choice that matches": {`"S": {"Type": "Choice", "Choices": [{"Variable": "$.a", "BooleanEquals": false, "Next": "N"}, {"Variable": "$.a", "BooleanEquals": true, "Next": "Y"}], "Default": "N"}, "Y": {"Type": "Succeed"}, "N": {"Type": "Fail", "Error": "E", "Cause": "C"}`, `{"a": true}`, nil,
			statestest.Result{Status: "SUCCEEDED", Output: json.RawMessage(`{"a":true}`), Transitions: 2}},
		"a choice by default, and a failure": {`"S": {"Type": "Choice", "Choices": [{"Variable": "$.a", "BooleanEquals": true, "Next": "Y"}], "Default": "N"}, "Y": {"Type": "Succeed"}, "N": {"Type": "Fail", "Error": "E", "Cause": "C"}`, `{"a": "true"}`, nil,
			statestest.Result{Status: "FAILED", Error: "E", Cause: "C", Transitions: 2}},
		"a pass": {`"S": {"Type": "Pass", "End": true}`, `{"a": {"c": [1]}}`, nil,
			statestest.Result{Status: "SUCCEEDED", Output: json.RawMessage(`{"a":{"c":[1]}}`), Transitions: 1}},
		"a pass of nothing": {`"S": {"Type": "Pass", "OutputPath": null, "End": true}`, `{"a": 1}`, nil,
			statestest.Result{Status: "SUCCEEDED", Output: json.RawMessage(`{}`), Transitions: 1}},
		"a path to nothing, which nobody catches": {`"S": ` + task(`"Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Y"}], "Next": "Y"`) + `, "Y": {"Type": "Succeed"}`, `{}`, nil,
			statestest.Result{Status: "FAILED", Error: "States.Runtime", Cause: "$.a leads to nothing", Transitions: 1}},
		"retries wait longer and longer": {`"S": ` + task(`"ResultPath": null, "End": true, "Retry": [{"ErrorEquals": ["Other"]}, {"ErrorEquals": ["States.TaskFailed"], "IntervalSeconds": 10, "BackoffRate": 3, "MaxDelaySeconds": 50, "MaxAttempts": 4}]`), `{"a": 1}`, []string{"!E", "!E", "!E", `{}`},
			statestest.Result{Status: "SUCCEEDED", Output: json.RawMessage(`{"a":1}`), Transitions: 4, Waited: 90 * time.Second}},
		"each retrier counts for itself": {`"S": ` + task(`"End": true, "Retry": [{"ErrorEquals": ["E"], "MaxAttempts": 1}, {"ErrorEquals": ["States.ALL"], "MaxAttempts": 1}]`), `{"a": 1}`, []string{"!E", "!F", "!E"},
			statestest.Result{Status: "FAILED", Error: "E", Cause: "as the test wants it", Transitions: 3, Waited: 2 * time.Second}},
		"a timeout is no failure of a task": {`"S": ` + task(`"End": true, "Retry": [{"ErrorEquals": ["States.TaskFailed"]}]`), `{"a": 1}`, []string{"!States.Timeout"},
			statestest.Result{Status: "FAILED", Error: "States.Timeout", Cause: "as the test wants it", Transitions: 1}},
		"what is caught goes another way": {`"S": ` + task(`"Next": "N", "Catch": [{"ErrorEquals": ["F"], "Next": "N"}, {"ErrorEquals": ["States.ALL"], "ResultPath": "$.why", "Next": "Y"}]`) + `, "Y": {"Type": "Succeed"}, "N": {"Type": "Fail"}`, `{"a": 1}`, []string{"!E"},
			statestest.Result{Status: "SUCCEEDED", Output: json.RawMessage(`{"a":1,"why":{"Cause":"as the test wants it","Error":"E"}}`), Transitions: 2}},
		"an answer that is too large": {`"S": ` + task(`"End": true, "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Y"}]`) + `, "Y": {"Type": "Succeed"}`, `{"a": 1}`, []string{`"` + strings.Repeat("x", 256<<10) + `"`},
			statestest.Result{Status: "FAILED", Error: "States.DataLimitExceeded", Cause: "262203 bytes, at most 262144", Transitions: 1}},
		"an execution that lasts too long": {`"S": ` + task(`"End": true, "Retry": [{"ErrorEquals": ["E"], "IntervalSeconds": 3000, "BackoffRate": 1}]`), `{"a": 1}`, []string{"!E", "!E"},
			statestest.Result{Status: "TIMED_OUT", Transitions: 2, Waited: 6000 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{functions: map[string]func(string) (string, error){"f": answers(tt.answers...)}}
			got := run(t, machine("S", tt.states), tt.input, w, 0)
			got.Visits = nil
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Error(diff)
			}
			if want := len(tt.answers); len(w.invoked) != want {
				t.Errorf("invoked %d times, want %d", len(w.invoked), want)
			}
		})
	}
}

func TestAMapWorksOnEveryItem(t *testing.T) {
	var once sync.Once
	w := &world{
		functions: map[string]func(string) (string, error){"f": func(payload string) (string, error) {
			failed := false
			if payload == `{"a":2}` {
				once.Do(func() { failed = true })
			}
			if failed {
				return "", &statestest.Failure{Name: "Again"}
			}
			return payload, nil
		}},
		objects: map[string]string{"b/list": `[1, 2, {"k": 3}]`},
	}
	for _, parallel := range []int{0, 2} {
		got := run(t, machine("M", `"M": `+mapping(`"ResultPath": "$.list", "End": true`)), `{"bucket": "b"}`, w, parallel)
		want := `{"bucket":"b","list":[` +
			`{"a":1,"all":"b","out":{"got":{"a":1}}},{"a":2,"all":"b","out":{"got":{"a":2}}},{"a":{"k":3},"all":"b","out":{"got":{"a":{"k":3}}}}]}`
		if diff := cmp.Diff(want, string(got.Output)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]int{"M": 1, "M/One": 3}, got.Visits); diff != "" {
			t.Error(diff)
		}
		waits := map[int]time.Duration{0: time.Minute}[parallel] // in the first execution one item is tried again
		if got.Waited != waits || got.Transitions != 7+int(waits/time.Minute) {
			t.Errorf("waited %v, %d transitions", got.Waited, got.Transitions)
		}
	}
}

func TestAnItemThatFailsFailsItsMap(t *testing.T) {
	w := &world{
		functions: map[string]func(string) (string, error){"f": answers("1", "!E")},
		objects:   map[string]string{"b/list": `[1, 2, 3]`},
	}
	states := `"M": ` + mapping(`"Next": "Y", "Catch": [{"ErrorEquals": ["States.TaskFailed"], "Next": "Y"}, {"ErrorEquals": ["States.ALL"], "Next": "N"}]`) + `, "Y": {"Type": "Succeed"}, "N": {"Type": "Succeed"}`
	got := run(t, machine("M", states), `{"bucket": "b"}`, w, 0)
	if got.Status != statestest.Succeeded || string(got.Output) != `{"Cause":"The specified tolerated failure threshold was exceeded","Error":"States.ExceedToleratedFailureThreshold"}` || len(w.invoked) != 2 {
		t.Errorf("%+v, %v", got, w.invoked)
	}
	got = run(t, machine("M", `"M": `+mapping(`"End": true`)), `{"bucket": "elsewhere"}`, w, 0)
	if got.Error != "States.ItemReaderFailed" {
		t.Errorf("%+v", got)
	}
}

func TestAnExecutionThatIsCancelledIsAborted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := &world{functions: map[string]func(string) (string, error){"f": func(string) (string, error) {
		cancel()
		return `{}`, nil
	}}}
	m, err := statestest.Parse([]byte(machine("S", `"S": `+task(`"ResultPath": null, "Next": "T"`)+`, "T": `+task(`"End": true`))))
	if err != nil {
		t.Fatal(err)
	}
	got, err := (&statestest.Execution{Machine: m, World: w}).Run(ctx, []byte(`{"a": 1}`))
	if err != nil || got.Status != statestest.Aborted || len(w.invoked) != 1 {
		t.Errorf("%+v, %v, %v", got, err, w.invoked)
	}
}

func TestWhatIsNoResultIsAnError(t *testing.T) {
	m, err := statestest.Parse([]byte(machine("S", `"S": `+task(`"End": true, "Retry": [{"ErrorEquals": ["States.ALL"]}]`))))
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the test's own fault")
	w := &world{functions: map[string]func(string) (string, error){"f": func(string) (string, error) { return "", broken }}}
	e := statestest.Execution{Machine: m, World: w}
	if _, err := e.Run(t.Context(), []byte(`{"a": 1}`)); !errors.Is(err, broken) || len(w.invoked) != 1 {
		t.Errorf("%v, %v", err, w.invoked)
	}
	if _, err := e.Run(t.Context(), []byte(`{`)); err == nil {
		t.Error("an input that is no JSON was taken")
	}
}
