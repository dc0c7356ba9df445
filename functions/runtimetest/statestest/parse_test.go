package statestest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/functions/runtimetest/statestest"
)

func TestEveryStateHasItsName(t *testing.T) {
	m, err := statestest.Parse([]byte(machine("M", `"M": `+mapping(`"Next": "E"`)+`, "E": {"Type": "Succeed"}`)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"E", "M", "M/One"}, m.States()); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNotKnownIsRefused(t *testing.T) {
	end := `"E": {"Type": "Succeed"}`
	for name, tt := range map[string]struct{ definition, want string }{
		"no JSON":                       {`{`, "unexpected EOF"},
		"two definitions":               {machine("E", end) + `{}`, "more than one"},
		"a field of a machine":          {`{"StartAt": "E", "QueryLanguage": "JSONata", "States": {` + end + `}}`, "QueryLanguage"},
		"a kind of state":               {machine("E", `"E": {"Type": "Wait"}`), "/E/Type': value must be one of"},
		"a field of a state":            {machine("S", `"S": `+task(`"HeartbeatSeconds": 5, "End": true`)), "HeartbeatSeconds"},
		"a field of another kind":       {machine("E", `"E": {"Type": "Succeed", "Next": "E"}`), "/E/Next': false schema"},
		"a field in another case":       {machine("E", `"E": {"Type": "Succeed", "comment": ""}`), "/E/comment': false schema"},
		"a start that is not there":     {machine("S", end), `the start leads to "S"`},
		"a state that is not there":     {machine("S", `"S": {"Type": "Pass", "Next": "T"}`), `S leads to "T"`},
		"a state nothing leads to":      {machine("E", end+`, "S": {"Type": "Succeed"}`), "nothing leads to S"},
		"no end":                        {machine("S", `"S": {"Type": "Pass"}`), "missing property 'Next'"},
		"an end and a next":             {machine("S", `"S": {"Type": "Pass", "Next": "S", "End": true}`), "subschemas 0, 1 matched"},
		"a service":                     {machine("S", `"S": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "Parameters": {"FunctionName": "f"}, "End": true}`), "/S/Resource': value must be"},
		"no function":                   {machine("S", `"S": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "End": true}`), "missing property 'Parameters'"},
		"a parameter of the service":    {machine("S", `"S": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "f", "Qualifier": "1"}, "End": true}`), "Qualifier"},
		"an intrinsic function":         {machine("S", `"S": `+task(`"ResultSelector": {"a.$": "States.UUID()"}, "End": true`)), "does not match"},
		"a path with a filter":          {machine("S", `"S": `+task(`"ResultSelector": {"a.$": "$.a[0]"}, "End": true`)), "does not match"},
		"a path that is none":           {machine("S", `"S": `+task(`"ResultSelector": {"a": {"b.$": "b"}}, "End": true`)), "does not match"},
		"a list in a template":          {machine("S", `"S": `+task(`"ResultSelector": {"a": [1]}, "End": true`)), "ResultSelector/a': 'not' failed"},
		"a path into another context":   {machine("S", `"S": `+task(`"ResultSelector": {"a.$": "$$.Task.Token"}, "End": true`)), "does not match"},
		"a part of the output":          {machine("S", `"S": {"Type": "Pass", "OutputPath": "$.a", "End": true}`), "/S/OutputPath': got string, want null"},
		"a place deep in the input":     {machine("S", `"S": `+task(`"ResultPath": "$.a.b", "End": true`)), "/S/ResultPath"},
		"a choice by another test":      {machine("S", `"S": {"Type": "Choice", "Choices": [{"Variable": "$.a", "NumericEquals": 1, "Next": "E"}], "Default": "E"}, `+end), "at '/States/S/Choices/0'"},
		"a choice without a test":       {machine("S", `"S": {"Type": "Choice", "Choices": [{"Variable": "$.a", "Next": "E"}], "Default": "E"}, `+end), "BooleanEquals"},
		"a choice of nothing":           {machine("S", `"S": {"Type": "Choice", "Default": "E"}, `+end), "missing property 'Choices'"},
		"a retrier of no error":         {machine("S", `"S": `+task(`"End": true, "Retry": [{"ErrorEquals": []}]`)), "/S/Retry/0/ErrorEquals"},
		"a retrier that gets faster":    {machine("S", `"S": `+task(`"End": true, "Retry": [{"ErrorEquals": ["E"], "BackoffRate": 0.5}]`)), "/S/Retry/0/BackoffRate"},
		"a catcher that leads nowhere":  {machine("S", `"S": `+task(`"End": true, "Catch": [{"ErrorEquals": ["E"]}]`)), "/S/Catch/0': missing property 'Next'"},
		"a map in the execution itself": {machine("M", `"M": `+strings.Replace(mapping(`"End": true`), "DISTRIBUTED", "INLINE", 1)), "/ProcessorConfig"},
		"items of another kind":         {machine("M", `"M": `+strings.Replace(mapping(`"End": true`), `"JSON"`, `"CSV"`, 1)), "/ReaderConfig"},
		"failures that are tolerated":   {machine("M", `"M": `+mapping(`"ToleratedFailurePercentage": 5, "End": true`)), "/ToleratedFailurePercentage"},
		"a label that another has":      {machine("M", `"M": `+mapping(`"Next": "N"`)+`, "N": `+mapping(`"End": true`)), "label"},
		"a state below that leads away": {machine("M", `"M": `+strings.Replace(mapping(`"End": true`), `"StartAt": "One"`, `"StartAt": "E"`, 1)), `M/E`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := statestest.Parse([]byte(tt.definition))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
