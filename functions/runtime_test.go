package functions

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// patience ends a test of a function that hangs; it decides nothing else.
const patience = time.Minute

// function is a bootstrap under a Lambda Runtime API of the test's own.
type function struct {
	api      *httptest.Server
	process  *exec.Cmd
	output   output
	ended    chan struct{} // closed when the process has
	invoke   chan invocation
	answered chan []byte // what it posted: the response of each invocation
	failed   chan string // what else it posted
	count    int
}

type invocation struct {
	id    string
	event []byte
}

// output is what a process wrote.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String is all of it so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// start runs a bootstrap with an environment and nothing else. It ends with the
// test.
func start(t *testing.T, bootstrap string, environment ...string) *function {
	t.Helper()
	f := &function{
		ended: make(chan struct{}), invoke: make(chan invocation),
		answered: make(chan []byte, 1), failed: make(chan string, 10),
	}
	f.api = httptest.NewServer(f.runtime(t))
	t.Cleanup(f.api.Close)
	f.process = exec.Command(bootstrap)
	f.process.Env = append(environment, "AWS_LAMBDA_RUNTIME_API="+f.api.Listener.Addr().String())
	f.process.Stdout, f.process.Stderr = &f.output, &f.output
	if err := f.process.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = f.process.Wait() // its state tells
		close(f.ended)
	}()
	t.Cleanup(func() {
		_ = f.process.Process.Kill()
		<-f.ended
	})
	return f
}

// runtime is the Runtime API: next, response, and the two ways to fail.
func (f *function) runtime(t *testing.T) http.Handler {
	const prefix = "/2018-06-01/runtime/"
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prefix+"invocation/next", func(w http.ResponseWriter, r *http.Request) {
		select {
		case next := <-f.invoke:
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", next.id)
			w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(patience).UnixMilli(), 10))
			w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:eu-central-1:123456789012:function:test")
			_, _ = w.Write(next.event)
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("POST "+prefix+"invocation/{id}/response", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusAccepted)
		f.answered <- body
	})
	mux.HandleFunc("POST "+prefix, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		f.failed <- r.URL.Path + ": " + string(body)
	})
	return mux
}

// call invokes the function with an event and gives its answer.
func (f *function) call(t *testing.T, event []byte) events.APIGatewayV2HTTPResponse {
	t.Helper()
	f.count++
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case f.invoke <- invocation{"invocation-" + strconv.Itoa(f.count), event}:
	case <-f.ended:
		t.Fatalf("the function ended: %s", f.output.String())
	case <-late.C:
		t.Fatalf("the function does not ask for work: %s", f.output.String())
	}
	select {
	case body := <-f.answered:
		var answer events.APIGatewayV2HTTPResponse
		if err := json.Unmarshal(body, &answer); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		return answer
	case what := <-f.failed:
		t.Fatalf("the function reports a failure: %s", what)
	case <-f.ended:
		t.Fatalf("the function ended: %s", f.output.String())
	case <-late.C:
		t.Fatalf("the function does not answer: %s", f.output.String())
	}
	panic("not reached")
}

// wait waits until the process has ended and gives its exit code, -1 for one
// that a signal ended.
func (f *function) wait(t *testing.T) int {
	t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-f.ended:
	case <-late.C:
		t.Fatalf("the function has not ended: %s", f.output.String())
	}
	return f.process.ProcessState.ExitCode()
}

// terminate is how Lambda ends a worker.
func (f *function) terminate(t *testing.T) {
	t.Helper()
	if err := f.process.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Fatal(err)
	}
}
