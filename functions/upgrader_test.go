package functions

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"touchline/shared/stack"
	"touchline/shared/store/records"
)

// fate is what becomes of a write of an upgrade.
type fate int

const (
	made  fate = iota
	never      // the upgrade is killed before it
	lost       // it is made, and the upgrade killed before it gets the response
)

// write is a call of an upgrade that writes, and waits for its fate.
type write struct {
	n     int  // from 1
	opens bool // it opens the new data
	fate  chan fate
	made  chan struct{} // closed once it is made although the response is lost
}

// done is what an upgrade says that it has done.
type done struct {
	Current bool
	Records int
	Loads   int
	Items   int
}

// upgrader runs the command of testdata/upgrader, compiled from the next build, behind a
// door to the engine at which its writes wait for the test, one after the other.
func upgrader(t *testing.T, w *world, program string, words []string, decide func(*write) fate) (said done, ended bool) {
	t.Helper()
	writes, over := make(chan *write), make(chan struct{})
	door := httptest.NewUnstartedServer(watched(t, w, writes, over))
	door.Config.ErrorLog = log.New(io.Discard, "", 0) // about calls of a process that was killed
	door.Start()
	defer door.Close()
	defer close(over)
	process := exec.CommandContext(t.Context(), program, append([]string{door.URL}, words...)...)
	process.Env = w.environment[:3:3] // AWS's
	var out, problems bytes.Buffer
	process.Stdout, process.Stderr = &out, &problems
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	ends := make(chan error, 1)
	go func() { ends <- process.Wait() }()
	kill := func() { _ = process.Process.Kill() } // it may have ended
	defer kill()
	for {
		select {
		case x := <-writes:
			what := decide(x)
			if what == never {
				kill()
			}
			x.fate <- what
			if what == lost {
				<-x.made // killed sooner, it would take the call along
			}
			if what != made {
				kill()
				if err := <-ends; err == nil {
					t.Errorf("upgrader %q ended well although it was killed", words)
				}
				return done{}, false
			}
		case err := <-ends:
			if err != nil {
				t.Fatalf("upgrader %q: %v: %s", words, err, problems.String())
			}
			if err := json.Unmarshal(out.Bytes(), &said); err != nil {
				t.Fatalf("%s: %v", out.String(), err)
			}
			return said, true
		}
	}
}

// watched passes calls on to the engine, those that write once the test says so.
func watched(t *testing.T, w *world, writes chan<- *write, over <-chan struct{}) http.Handler {
	t.Helper()
	to, err := url.Parse(lookup(w.environment)(stack.VariableDynamoDBEndpoint))
	if err != nil {
		t.Fatal(err)
	}
	engine := httputil.NewSingleHostReverseProxy(to)
	engine.ErrorLog = log.New(io.Discard, "", 0)
	var n atomic.Int64
	version := records.VersionKey()
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		if operation != "BatchWriteItem" {
			engine.ServeHTTP(rw, r)
			return
		}
		x := &write{n: int(n.Add(1)), fate: make(chan fate), made: make(chan struct{})}
		// The first write of the same item notes that the new data are not whole.
		x.opens = x.n > 1 && bytes.Contains(body, []byte(`"`+version.PK+`"`)) && bytes.Contains(body, []byte(`"`+version.SK+`"`))
		select {
		case writes <- x:
		case <-over:
			return
		}
		what := made
		select {
		case what = <-x.fate:
		case <-over:
			return
		}
		switch what {
		case never:
			panic(http.ErrAbortHandler)
		case lost:
			engine.ServeHTTP(httptest.NewRecorder(), r)
			close(x.made)
			panic(http.ErrAbortHandler)
		}
		engine.ServeHTTP(rw, r)
	})
}
