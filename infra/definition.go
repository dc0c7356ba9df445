package main

import (
	"bytes"
	"encoding/json"
)

// The names that CloudFormation replaces in the definition.
const (
	substituteFunction  = "Bulk"
	substitutePartition = "Partition"
)

const (
	// stepSeconds is after how many a step is taken for lost: the function has
	// certainly ended.
	stepSeconds = ingestTimeout + 60
	// executionSeconds is the longest that an execution may take, a day: it is
	// there for one that gets nowhere. The drop's message begins another then.
	executionSeconds = 24 * 60 * 60
)

// definition is the state machine in the Amazon States Language, in JSON:
//
//	Plan ─ Planned ─ Project, each part ─ Decide ─ Decided ─ Merge, each bucket ─ Finish ─ Report ─ Loaded
//	          └─────────── faults ───────────────────┴─ ReportFaults ─ Refused
//	any of them, failed ─ ReportFailure ─ Failed
//
// A step is done by the function, whose event says which. Every step is
// repeatable, and a step that is repeated passes over what it has done: whoever
// waits for a load starts the machine again after it has failed, and it goes on
// where it was.
func definition(concurrency int) string {
	machine := object{
		{"Comment", "Loads a dataset into an empty table: plans its parts, projects each into sorted runs, merges the runs of each bucket of lists"},
		{"StartAt", "Plan"},
		{"TimeoutSeconds", executionSeconds},
		{"States", object{
			{"Plan", step("plan", nil, object{
				{"ResultSelector", object{{"faulty.$", "$.Payload.faulty"}, {"parts.$", "$.Payload.parts"}, {"buckets.$", "$.Payload.buckets"}}},
				{"ResultPath", "$.plan"}, caught(), {"Next", "Planned"},
			})},
			{"Planned", faulty("$.plan.faulty", "Project")},
			{"Project", items("Project", "$.plan.parts", concurrency, "Decide", "Part", object{
				{"Part", step("project", object{{"item.$", "$.item"}}, object{{"ResultPath", nil}, {"OutputPath", nil}, {"End", true}})},
			})},
			{"Decide", step("decide", nil, object{
				{"ResultSelector", object{{"faulty.$", "$.Payload.faulty"}}},
				{"ResultPath", "$.decision"}, caught(), {"Next", "Decided"},
			})},
			{"Decided", faulty("$.decision.faulty", "Merge")},
			{"Merge", items("Merge", "$.plan.buckets", concurrency, "Finish", "Bucket", object{
				{"Bucket", step("merge", object{{"item.$", "$.item"}}, object{
					{"ResultSelector", object{{"again.$", "$.Payload.again"}}}, {"ResultPath", "$.merged"}, {"Next", "Merged"},
				})},
				{"Merged", object{
					{"Type", "Choice"}, {"Comment", "Had the function no time left to finish the bucket?"},
					{"Choices", []any{object{{"Variable", "$.merged.again"}, {"BooleanEquals", true}, {"Next", "Bucket"}}}}, {"Default", "Done"},
				}},
				{"Done", object{{"Type", "Pass"}, {"Comment", "Nothing of a bucket is passed on: 10,000 of them would be too much"}, {"OutputPath", nil}, {"End", true}}},
			})},
			{"Finish", step("finish", nil, object{{"ResultPath", nil}, caught(), {"Next", "Report"}})},
			{"Report", step("report", object{{"outcome", "done"}}, object{{"ResultPath", nil}, caught(), {"Next", "Loaded"}})},
			{"Loaded", object{{"Type", "Succeed"}}},
			{"ReportFaults", step("report", object{{"outcome", "faulty"}}, object{{"ResultPath", nil}, caught(), {"Next", "Refused"}})},
			{"Refused", object{{"Type", "Succeed"}, {"Comment", "The dataset has faults, which its report names; nothing was written"}}},
			{"ReportFailure", step("report", object{{"outcome", "failed"}, {"failure.$", "$.failure"}}, object{
				{"ResultPath", nil},
				{"Catch", []any{object{{"ErrorEquals", []string{"States.ALL"}}, {"ResultPath", nil}, {"Next", "Failed"}}}}, {"Next", "Failed"},
			})},
			{"Failed", object{{"Type", "Fail"}, {"Error", "LoadFailed"}, {"Cause", "The input of ReportFailure has the error; the drop's message begins the load again, or reports that it is given up"}}},
		}},
	}
	text, err := json.Marshal(machine)
	var indented bytes.Buffer
	if err == nil {
		err = json.Indent(&indented, text, "", " ")
	}
	if err != nil {
		panic("infra: the definition is no JSON: " + err.Error())
	}
	return indented.String()
}

// step is a Task that invokes the function with a step's event: its name, the
// load, and what else the step takes.
func step(name string, with, more object) object {
	event := append(object{{"step", name}, {"load.$", "$.load"}}, with...)
	return append(object{
		{"Type", "Task"},
		{"Resource", "arn:${" + substitutePartition + "}:states:::lambda:invoke"},
		{"Parameters", object{{"FunctionName", "${" + substituteFunction + "}"}, {"Payload", event}}},
		{"TimeoutSeconds", stepSeconds},
		{"Retry", retries()},
	}, more...)
}

// retries are by the errors of the function, and those of Lambda.
func retries() []object {
	return []object{
		// No repetition helps.
		{{"ErrorEquals", []string{"RefusedError", "StoppedError"}}, {"MaxAttempts", 0}},
		// Another task holds what this one writes, perhaps one that was given up
		// and is still running: for 20 minutes, which is longer than it can.
		{{"ErrorEquals", []string{"BusyError"}}, {"IntervalSeconds", 15}, {"BackoffRate", 1}, {"MaxAttempts", 80}},
		// The account has no worker left.
		{{"ErrorEquals", []string{"Lambda.TooManyRequestsException"}}, {"IntervalSeconds", 10}, {"BackoffRate", 1.5}, {"MaxDelaySeconds", 60}, {"MaxAttempts", 30}, {"JitterStrategy", "FULL"}},
		// The process has ended, for want of memory or time. A merge gets further each time;
		// what does not get further is given up after two executions (package ingest).
		{{"ErrorEquals", []string{"Lambda.Unknown", "Runtime.ExitError", "Runtime.OutOfMemory", "Sandbox.Timedout", "States.Timeout"}}, {"IntervalSeconds", 5}, {"BackoffRate", 2}, {"MaxAttempts", 3}, {"JitterStrategy", "FULL"}},
		{{"ErrorEquals", []string{"States.TaskFailed"}}, {"IntervalSeconds", 5}, {"BackoffRate", 2}, {"MaxAttempts", 5}, {"JitterStrategy", "FULL"}},
	}
}

// caught leads to the report of a failure.
func caught() field {
	return field{"Catch", []object{{{"ErrorEquals", []string{"States.ALL"}}, {"ResultPath", "$.failure"}, {"Next", "ReportFailure"}}}}
}

// faulty goes to the report of faults, where there are any.
func faulty(found, otherwise string) object {
	return object{
		{"Type", "Choice"},
		{"Choices", []object{{{"Variable", found}, {"BooleanEquals", true}, {"Next", "ReportFaults"}}}}, {"Default", otherwise},
	}
}

// items is a Map over a list in the work folder. One item that fails fails it: the
// others that run go on to their end, and are passed over the next time.
func items(label, list string, concurrency int, next, start string, states object) object {
	return object{
		{"Type", "Map"}, {"Label", label},
		{"ItemReader", object{
			{"Resource", "arn:${" + substitutePartition + "}:states:::s3:getObject"}, {"ReaderConfig", object{{"InputType", "JSON"}}},
			{"Parameters", object{{"Bucket.$", "$.load.drop.bucket"}, {"Key.$", list}}},
		}},
		{"ItemSelector", object{{"load.$", "$.load"}, {"item.$", "$$.Map.Item.Value"}}},
		{"MaxConcurrency", concurrency}, {"ToleratedFailurePercentage", 0},
		{"ItemProcessor", object{
			{"ProcessorConfig", object{{"Mode", "DISTRIBUTED"}, {"ExecutionType", "STANDARD"}}}, // a task may take 15 minutes
			{"StartAt", start}, {"States", states},
		}},
		{"ResultPath", nil}, caught(), {"Next", next},
	}
}

// object is a JSON object whose fields stay in their order, for its readers.
type object []field

type field struct {
	name  string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	text.WriteByte('{')
	for n, f := range o {
		if n > 0 {
			text.WriteByte(',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		text.Write(name)
		text.WriteByte(':')
		text.Write(value)
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}
