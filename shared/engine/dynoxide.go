// Package engine starts a DynamoDB engine on this machine, dynoxide of npm, for the tests
// of the backend that is DynamoDB (enginetest), and for what measures units. No program
// that is delivered uses one.
//
// An engine ends with the process that has started it, however that ends.
package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ErrNotFound says that no engine is installed. The error that wraps it says what to do.
var ErrNotFound = errors.New("the DynamoDB engine for tests is not installed")

const (
	// startLimit is far above the 16 ms that a start takes: it only ends one that hangs.
	startLimit = 20 * time.Second
	// attempts is how often a free port is picked, if another process takes it first.
	attempts = 5
)

// Launch starts dynoxide on a free port of this machine, and returns when it accepts
// connections. Its tables are in the file at path, or in memory where that is empty. It
// ends with stop, or with this process.
func Launch(ctx context.Context, path string) (endpoint string, stop func(), err error) {
	binary, err := find()
	if err != nil {
		return "", nil, err
	}
	for range attempts {
		endpoint, stop, err = launch(ctx, binary, path)
		if err == nil || !strings.Contains(err.Error(), "already in use") {
			break
		}
	}
	return endpoint, stop, err
}

func launch(ctx context.Context, binary, path string) (endpoint string, stop func(), err error) {
	port, err := freePort()
	if err != nil {
		return "", nil, err
	}
	args := []string{binary, "serve", "--host", "127.0.0.1", "--port", strconv.Itoa(port)}
	if path != "" {
		args = append(args, "--db-path", path)
	}
	said := &output{ready: make(chan struct{})}
	ended, stop, err := keep(said, args...)
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	select {
	case <-said.ready:
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), stop, nil
	case <-ended:
		err = fmt.Errorf("the engine ended before it listened: %s", said.text())
	case <-ctx.Done():
		err = fmt.Errorf("start the engine: %w", ctx.Err())
	}
	stop()
	return "", nil, err
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// keeper is a shell script that becomes an engine. What it leaves behind kills the
// engine when its input ends: with this process, however that ends.
const keeper = `exec 3<&0; (read -r _ <&3; kill -9 $$) >/dev/null 2>&1 & exec "$@" 3<&- </dev/null`

// keep runs an engine until stop is called, or this process ends. ended is closed at its
// end.
func keep(said *output, command ...string) (ended <-chan struct{}, stop func(), err error) {
	cmd := exec.Command("sh", append([]string{"-c", keeper, "sh"}, command...)...) //nolint:gosec // the developer's own programs
	// It has one connection to its file, for which more threads wait.
	cmd.Env = append(os.Environ(), "TOKIO_WORKER_THREADS=1")
	cmd.Stdout, cmd.Stderr = said, said
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait() // what it said is the error
		close(done)
	}()
	return done, func() {
		_ = input.Close()
		<-done
	}, nil
}

// output is what an engine prints.
type output struct {
	ready chan struct{} // closed by the line that says that dynoxide listens

	mu   sync.Mutex
	said bytes.Buffer
	seen bool
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.said.Write(p)
	if !o.seen && bytes.Contains(o.said.Bytes(), []byte("listening on http")) {
		o.seen = true
		close(o.ready)
	}
	return n, err
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.TrimSpace(o.said.String())
}

// find is dynoxide's program: the one that `make deps` installs in the checkout that
// holds the working folder, else the one on PATH.
func find() (string, error) {
	platform := runtime.GOOS + "-" + strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	if path, ok := installed("@dynoxide/" + platform + "/dynoxide"); ok {
		return path, nil
	}
	if path, err := exec.LookPath("dynoxide"); err == nil {
		return path, nil
	}
	return "", fmt.Errorf("%w: `make deps` does on linux-x64; elsewhere put a dynoxide built for it on PATH", ErrNotFound)
}

// installed is a file that npm has installed in the checkout that holds the working
// folder.
func installed(pattern string) (string, bool) {
	for up := "."; len(up) < 30; up += "/.." {
		if found, _ := filepath.Glob(up + "/scripts/node_modules/" + pattern); len(found) > 0 {
			path, err := filepath.Abs(found[0])
			return path, err == nil
		}
	}
	return "", false
}
