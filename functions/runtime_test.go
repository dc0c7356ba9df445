package functions

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience ends a test of a function that hangs; it decides nothing else.
const patience = time.Minute

// allotted is the time that an invocation is given: more than any test takes.
const allotted = 15 * time.Minute

// function is a bootstrap that runs. One goroutine uses it.
type function struct {
	Count int // of its invocations

	output   *os.File // what it wrote
	api      *httptest.Server
	process  *exec.Cmd
	ended    chan struct{} // closed when the process has
	invoke   chan invocation
	answered chan []byte // what it posted: the response of each invocation
	failed   chan string // what else it posted
}

type invocation struct {
	id    string
	event []byte
}

// start runs a bootstrap with an environment and nothing else. It ends with the
// test.
func start(t testing.TB, bootstrap string, environment ...string) *function {
	t.Helper()
	output, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	f := &function{
		output: output, ended: make(chan struct{}), invoke: make(chan invocation),
		answered: make(chan []byte, 1), failed: make(chan string, 10),
	}
	f.api = httptest.NewServer(f.runtime(t))
	t.Cleanup(f.api.Close)
	f.process = exec.Command(bootstrap)
	f.process.Env = append(environment[:len(environment):len(environment)], "AWS_LAMBDA_RUNTIME_API="+f.api.Listener.Addr().String())
	f.process.Stdout, f.process.Stderr = f.output, f.output
	if err := f.process.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = f.process.Wait() // its state says why
		close(f.ended)
	}()
	t.Cleanup(func() {
		f.Kill(t)
		_ = f.output.Close() // only written by the process
	})
	return f
}

// runtime is the Runtime API: next, response, and the two ways to fail.
func (f *function) runtime(t testing.TB) http.Handler {
	const prefix = "/2018-06-01/runtime/"
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prefix+"invocation/next", func(w http.ResponseWriter, r *http.Request) {
		select {
		case next := <-f.invoke:
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", next.id)
			w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(allotted).UnixMilli(), 10))
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
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusAccepted)
		f.failed <- r.URL.Path + " " + string(body)
	})
	return mux
}

// Output is what it wrote so far.
func (f *function) Output() string {
	text, err := os.ReadFile(f.output.Name())
	if err != nil {
		panic(err) // a file of the test's own
	}
	return string(text)
}

// Call invokes the function with an event and gives its answer.
func (f *function) Call(t testing.TB, event []byte) []byte {
	t.Helper()
	f.Begin(t, event)
	return f.answer(t)
}

// Begin invokes the function with an event. The n-th invocation has the id
// invocation-n.
func (f *function) Begin(t testing.TB, event []byte) {
	t.Helper()
	f.Count++
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case f.invoke <- invocation{"invocation-" + strconv.Itoa(f.Count), event}:
	case <-f.ended:
		t.Fatalf("the function ended: %s", f.Output())
	case <-late.C:
		t.Fatalf("the function does not ask for work: %s", f.Output())
	}
}

// answer waits for the answer to what was begun.
func (f *function) answer(t testing.TB) []byte {
	t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case body := <-f.answered:
		return body
	case failed := <-f.failed:
		t.Fatalf("the function reports a failure: %s: %s", failed, f.Output())
	case <-f.ended:
		t.Fatalf("the function has ended: %s", f.Output())
	case <-late.C:
		t.Fatalf("the function does not answer: %s", f.Output())
	}
	return nil
}

// Wait waits until the process has ended and gives its exit code, -1 for one
// that a signal ended.
func (f *function) Wait(t testing.TB) int {
	t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-f.ended:
	case <-late.C:
		t.Fatalf("the function has not ended: %s", f.Output())
	}
	return f.process.ProcessState.ExitCode()
}

// Terminate is how Lambda ends a worker.
func (f *function) Terminate(t testing.TB) {
	t.Helper()
	if err := f.process.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Fatal(err)
	}
}

// Abandon takes the Runtime API away and waits until the process has ended itself,
// as it does without one.
func (f *function) Abandon(t testing.TB) {
	t.Helper()
	_ = f.api.Listener.Close()
	f.api.CloseClientConnections()
	f.Wait(t)
}

// Kill ends it at once, as a lack of memory or of time does, and waits for its
// end.
func (f *function) Kill(testing.TB) {
	_ = f.process.Process.Kill() // it may have ended
	<-f.ended
}

// Pid is the id of its process.
func (f *function) Pid() int { return f.process.Process.Pid }

// Peak is the most memory in bytes that the process has had resident since its
// start, or since Peak was last called. Only Linux reports it.
func (f *function) Peak(t testing.TB) int64 {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/", f.Pid())
	text, err := os.ReadFile(filepath.Clean(dir + "status"))
	if err != nil {
		t.Fatalf("the kernel does not tell the memory of a process: %v", err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes int64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := os.WriteFile(filepath.Clean(dir+"clear_refs"), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
