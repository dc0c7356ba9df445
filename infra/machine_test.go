package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/functions/runtimetest/statestest"
	"touchline/shared/ingest"
	"touchline/shared/stack"
)

// definition is that of the machine, with the names of resources in the place of
// what CloudFormation substitutes.
func (s *synthesis) definition(t *testing.T) string {
	t.Helper()
	machine := s.Resources["Machine"]
	text, _ := machine.at("DefinitionString").(string)
	substitutions, _ := machine.at("DefinitionSubstitutions").(map[string]any)
	for name, value := range substitutions {
		by := onWhat(value)
		if by == "<AWS::Partition>" {
			by = "aws"
		}
		text = strings.ReplaceAll(text, "${"+name+"}", by)
	}
	if strings.Contains(text, "${") {
		t.Errorf("something is not substituted: %s", text)
	}
	return text
}

// machineIsAsReleased compares the definition with testdata/dev.asl.json, for
// people: in the template it is one line.
func machineIsAsReleased(t *testing.T, s *synthesis) {
	golden(t, "dev.asl.json", s.definition(t)+"\n")
}

// callee answers the steps of one load, and records the calls of the machine.
type callee struct {
	mu   sync.Mutex
	made map[string]bool
	// answer gives the answer to a step, or its error; "" and nil: it goes well.
	answer func(step string) (string, error)
}

func (c *callee) note(call string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made[call] = true
}

func (c *callee) Invoke(_ context.Context, function string, payload []byte) ([]byte, error) {
	c.note("lambda:InvokeFunction " + function)
	var event struct{ Step string }
	if err := json.Unmarshal(payload, &event); err != nil {
		return nil, err
	}
	if c.answer != nil {
		if answer, err := c.answer(event.Step); answer != "" || err != nil {
			return []byte(answer), err
		}
	}
	return []byte(`{"faulty": false, "again": false, "parts": "` + stack.WorkFolder + `/L/` + stack.WorkParts + `", "buckets": "` + stack.WorkFolder + `/L/` + stack.WorkBuckets + `"}`), nil
}

func (c *callee) Object(_ context.Context, bucket, key string) ([]byte, error) {
	c.note("s3:GetObject " + bucket + "/" + key)
	return []byte(`[{}]`), nil
}

// theMachineMayMakeItsCalls runs the definition, and compares the calls with the
// rights of the machine: the function, the lists in a work folder, and the
// executions that Step Functions runs for the items of a distributed Map.
func theMachineMayMakeItsCalls(t *testing.T, s *synthesis) {
	to := &callee{}
	if result := s.run(t, to); result.Status != statestest.Succeeded {
		t.Fatalf("%+v", result)
	}
	arn := strings.NewReplacer(":execution:", ":stateMachine:", ":*", "").Replace(s.executions())
	used := map[string]bool{}
	want := []string{"states:DescribeExecution " + s.executions(), "states:StartExecution " + arn, "states:StopExecution " + s.executions()}
	var may []string
	for _, r := range s.rights(t, "Machine") {
		if strings.HasPrefix(r.action, "states:") {
			may = append(may, r.action+" "+r.on)
			continue
		}
		for call := range to.made {
			if matched, err := path.Match(r.action+" "+r.on, call); err != nil || matched {
				used[r.action+" "+r.on] = true
				delete(to.made, call)
			}
		}
		if !used[r.action+" "+r.on] {
			t.Errorf("it may %s on %s, and does not", r.action, r.on)
		}
	}
	slices.Sort(may)
	if diff := cmp.Diff(want, may); diff != "" {
		t.Error(diff)
	}
	if len(to.made) > 0 {
		t.Errorf("it may not make the calls %v", slices.Sorted(maps.Keys(to.made)))
	}
}

// run runs the definition on a callee.
func (s *synthesis) run(t *testing.T, to *callee) *statestest.Result {
	t.Helper()
	machine, err := statestest.Parse([]byte(s.definition(t)))
	if err != nil {
		t.Fatal(err)
	}
	to.made = map[string]bool{}
	result, err := (&statestest.Execution{Machine: machine, World: to}).Run(t.Context(), []byte(`{"load": {"drop": {"bucket": "IngestBucket"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// stepsAreTriedAgain as often as their errors deserve, each of them, and then the
// failure is reported.
func stepsAreTriedAgain(t *testing.T, s *synthesis) {
	for name, tt := range map[string]struct {
		times    int
		at, most time.Duration // that is waited in all
	}{
		"RefusedError": {1, 0, 0},
		"StoppedError": {1, 0, 0},
		// Longer than the invocation that is in its way can last.
		"BusyError":                       {81, ingestTimeout * time.Second, time.Hour},
		"Lambda.TooManyRequestsException": {31, 15 * time.Minute, time.Hour},
		"Lambda.ServiceException":         {6, time.Minute, 5 * time.Minute},
		// More memory or time would help, not another try.
		"Lambda.Unknown":      {4, 30 * time.Second, time.Minute},
		"Runtime.ExitError":   {4, 30 * time.Second, time.Minute},
		"Runtime.OutOfMemory": {4, 30 * time.Second, time.Minute},
		"Sandbox.Timedout":    {4, 30 * time.Second, time.Minute},
		"States.Timeout":      {4, 30 * time.Second, time.Minute},
	} {
		for _, step := range []string{"plan", "project", "decide", "merge", "finish", "report"} {
			times := 0
			result := s.run(t, &callee{answer: func(of string) (string, error) {
				if of != step {
					return "", nil
				}
				if times++; times > tt.times && step == "report" { // of the failure
					return "", nil
				}
				return "", &statestest.Failure{Name: name}
			}})
			if step == "report" {
				times-- // that of the failure
			}
			if result.Status != statestest.Failed || result.Error != "LoadFailed" || result.Visits["ReportFailure"] != 1 || times != tt.times {
				t.Errorf("%s of %s: tried %d times, want %d: %+v", name, step, times, tt.times, result)
			}
			if result.Waited < tt.at || result.Waited > tt.most {
				t.Errorf("%s of %s: waited %v", name, step, result.Waited)
			}
		}
	}
	if result := s.run(t, &callee{answer: func(string) (string, error) { return "", &statestest.Failure{Name: "E"} }}); result.Error != "LoadFailed" {
		t.Errorf("a failure that cannot be reported: %+v", result)
	}
}

// stepsGoOn checks the ways of the machine that answers of steps choose.
func stepsGoOn(t *testing.T, s *synthesis) {
	merges := 0
	result := s.run(t, &callee{answer: func(step string) (string, error) {
		if step == "merge" {
			if merges++; merges < 4 {
				return `{"again": true}`, nil
			}
		}
		return "", nil
	}})
	if result.Status != statestest.Succeeded || result.Visits["Merge/Bucket"] != 4 || result.Visits["Merge/Done"] != 1 || result.Visits["Loaded"] != 1 {
		t.Errorf("%+v", result)
	}
	for step, want := range map[string]int{"plan": 0, "decide": 1} {
		result := s.run(t, &callee{answer: func(of string) (string, error) {
			if of == step {
				return `{"faulty": true, "parts": "", "buckets": ""}`, nil
			}
			return "", nil
		}})
		if result.Status != statestest.Succeeded || result.Visits["Refused"] != 1 || result.Visits["Project"] != want || result.Visits["Merge"] != 0 {
			t.Errorf("faults in %s: %+v", step, result)
		}
	}
}

// stepsEndBeforeTheyAreGivenUp, so that no step is repeated while it runs, unless
// Lambda lost it.
func stepsEndBeforeTheyAreGivenUp(t *testing.T, s *synthesis) {
	var machine any
	if err := json.Unmarshal([]byte(s.definition(t)), &machine); err != nil {
		t.Fatal(err)
	}
	timeout, _ := s.Resources["Bulk"].at("Timeout").(float64)
	steps, wide := 0, 0
	var visit func(v any)
	visit = func(v any) {
		states, _ := at(v, "States").(map[string]any)
		for name, state := range states {
			switch at(state, "Type") {
			case "Task":
				steps++
				if given, _ := at(state, "TimeoutSeconds").(float64); timeout == 0 || given <= timeout {
					t.Errorf("%s is given up after %v s, the function after %v s", name, given, timeout)
				}
			case "Map":
				want := 4.0
				if s.Resources["Bulk"].at("MemorySize") == 2048.0 { // everything
					want = 9
				}
				if at(state, "MaxConcurrency") == want {
					wide++
				}
				visit(at(state, "ItemProcessor"))
			}
		}
	}
	visit(machine)
	if steps != 8 || wide != 2 {
		t.Errorf("%d tasks, %d maps as wide as the settings say", steps, wide)
	}
}

// workIsRemoved checks that the bucket removes what a load has left of its work,
// and that nothing of it is taken for the end of a drop.
func workIsRemoved(t *testing.T, s *synthesis) {
	bucket := s.Resources["IngestBucket"]
	var found []string
	rules, _ := bucket.at("LifecycleConfiguration", "Rules").([]any)
	for _, r := range rules {
		found = append(found, fmt.Sprint(at(r, "Prefix"), " ", at(r, "ExpirationInDays"), " ", at(r, "Status")))
	}
	if diff := cmp.Diff([]string{" 30 Enabled", stack.WorkFolder + "/ 14 Enabled"}, found); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{stack.WorkParts, stack.WorkBuckets} {
		if strings.HasSuffix("/"+name, "/"+stack.DropReady) {
			t.Errorf("%s is announced as a drop", name)
		}
	}
	for _, r := range s.rights(t, "Ingest") {
		if strings.Contains(r.on, stack.WorkFolder) {
			t.Errorf("ingest may %s on %s", r.action, r.on)
		}
	}
}

// A dataset for which the function bulk has the memory to plan, and a competition for which
// it has the memory to project, take no more than the time that a step has, at every
// bulkMemory: on cores of half the speed of the one that was measured, and fetched at 60
// MB a second before.
func TestWhatFitsInMemoryIsLoadedInTime(t *testing.T) {
	const (
		planned   = 3.2 * 60 / 2000         // seconds for a MB, uncompressed (README.md, Large first loads)
		projected = 38 * 60 / (1000 * 13e3) // seconds for a record: those of size 1,000 (the same table)
		slower    = 2
		fetched   = 60.0
		core      = 1769.0 // MB of memory with which Lambda gives one core; it gives in proportion
	)
	for memory := 512; memory <= 10240; memory += 128 { // the bounds of the setting
		megabytes := float64(ingest.Plannable(memory) >> 20)
		seconds := megabytes/fetched + megabytes*planned*slower/min(1, float64(memory)/core)
		if seconds > ingestTimeout {
			t.Errorf("with %d MB of memory %.0f MB are planned, which takes %.0f s of %d", memory, megabytes, seconds, ingestTimeout)
		}
		records := float64(ingest.Projectable(memory))
		if seconds := records * projected * slower / min(1, float64(memory)/core); seconds > ingestTimeout {
			t.Errorf("with %d MB of memory %.0f records are projected at once, which takes %.0f s of %d", memory, records, seconds, ingestTimeout)
		}
		if records < 2*50_000 { // of an ordinary part, and around it
			t.Errorf("with %d MB of memory %.0f records at most are projected at once", memory, records)
		}
	}
}
