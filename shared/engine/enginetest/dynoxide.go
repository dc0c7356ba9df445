package enginetest

import (
	"bytes"
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
	"testing"
	"time"
)

const (
	// startLimit is far above the 16 ms that a start takes: it only ends one that hangs.
	startLimit = 20 * time.Second
	// attempts is how often a free port is picked, if another process takes it first.
	attempts = 5
)

// startDynoxide starts dynoxide on a free port of this machine, and returns when it
// accepts connections. Its tables are in the file at path, or in memory where that is
// empty.
func startDynoxide(t testing.TB, binary, path string) (endpoint string, err error) {
	t.Helper()
	for range attempts {
		endpoint, err = launch(t, binary, path)
		if err == nil || !strings.Contains(err.Error(), "already in use") {
			break
		}
	}
	return endpoint, err
}

func launch(t testing.TB, binary, path string) (string, error) {
	t.Helper()
	address, err := freeAddress()
	if err != nil {
		return "", err
	}
	args := []string{binary, "serve", "--host", "127.0.0.1", "--port", strconv.Itoa(address.Port)}
	if path != "" {
		args = append(args, "--db-path", path)
	}
	said := &output{ready: make(chan struct{})}
	ended, err := keep(t, said, args...)
	if err != nil {
		return "", err
	}
	select {
	case <-said.ready:
		return "http://" + address.String(), nil
	case <-ended:
		return "", fmt.Errorf("the engine ended before it listened: %s", said.text())
	case <-time.After(startLimit):
		return "", errors.New("the engine does not start")
	}
}

func freeAddress() (*net.TCPAddr, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return l.Addr().(*net.TCPAddr), l.Close()
}

// keeper is a shell script that becomes an engine. What it leaves behind kills the
// engine when its input ends: with this process, however that ends.
const keeper = `exec 3<&0; (read -r _ <&3; kill -9 $$) >/dev/null 2>&1 & exec "$@" 3<&- </dev/null`

// keep runs an engine until the test or this process ends. ended is closed at its end.
func keep(t testing.TB, said *output, command ...string) (ended <-chan struct{}, err error) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", keeper, "sh"}, command...)...) //nolint:gosec // the developer's own programs
	// It has one connection to its file, for which more threads wait.
	cmd.Env = append(os.Environ(), "TOKIO_WORKER_THREADS=1")
	cmd.Stdout, cmd.Stderr = said, said
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait() // what it said is the error
		close(done)
	}()
	t.Cleanup(func() {
		_ = input.Close()
		<-done
	})
	return done, nil
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

// dynoxide is its program: the one that `make deps` installs in the checkout that holds
// the working folder, else the one on PATH; empty: not installed.
func dynoxide() string {
	platform := runtime.GOOS + "-" + strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	for up := "."; len(up) < 30; up += "/.." {
		if found, _ := filepath.Glob(up + "/scripts/node_modules/@dynoxide/" + platform + "/dynoxide"); len(found) > 0 {
			if path, err := filepath.Abs(found[0]); err == nil {
				return path
			}
		}
	}
	path, _ := exec.LookPath("dynoxide")
	return path
}
