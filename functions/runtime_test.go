package functions

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"touchline/functions/runtimetest"
)

// patience ends a test whose function hangs; it affects nothing else.
const patience = runtimetest.Patience

// function is a bootstrap that serves requests.
type function struct {
	run    *runtimetest.Function
	output *runtimetest.Output
	count  int // number of invocations
}

// start runs a bootstrap with only this environment. It ends with the test.
func start(t *testing.T, bootstrap string, environment ...string) *function {
	t.Helper()
	f := runtimetest.Start(t, bootstrap, environment...)
	return &function{run: f, output: &f.Output}
}

// call invokes the function with an event and returns its response.
func (f *function) call(t *testing.T, event []byte) events.APIGatewayV2HTTPResponse {
	t.Helper()
	f.count++
	body := f.run.Call(t, event)
	var answer events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return answer
}

// wait waits for the end of the process and returns its exit code, -1 if a
// signal ended it.
func (f *function) wait(t *testing.T) int {
	t.Helper()
	return f.run.Wait(t)
}

// terminate is how Lambda ends a worker.
func (f *function) terminate(t *testing.T) {
	t.Helper()
	f.run.Terminate(t)
}
