package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

var (
	// ErrAddressInUse says that something else listens where the engine should.
	ErrAddressInUse = errors.New("address in use")
	// ErrDatabaseInUse says that another engine has the database file open.
	ErrDatabaseInUse = errors.New("database in use")
	// ErrDatabase says that the database file cannot be made, read or written.
	ErrDatabase = errors.New("database unusable")
)

const (
	// loopback is where an engine listens that nobody else has to find.
	loopback = "127.0.0.1"
	// startLimit is far above the 16 ms that a start takes: it only ends a start
	// that hangs.
	startLimit = 20 * time.Second
	// stopLimit is the time the engine has to close its file before it is killed.
	stopLimit = 5 * time.Second
	// lockLimit is how long an engine whose parent was killed may take to
	// release its file.
	lockLimit = time.Second
	// attempts is how often a free port is picked, if another process takes it
	// first.
	attempts = 5
)

// Options are where an engine listens and keeps its tables. The zero value is an
// engine in memory on a free port.
type Options struct {
	// Addr is a loopback host and port; the default is "127.0.0.1:0". Port 0 is
	// any free port.
	Addr string
	// DBPath is the database file, which is created with its folder if missing;
	// empty keeps the tables in memory.
	DBPath string
	// Log gets the output of the engine; nil discards it. Another goroutine
	// writes to it until Done is closed.
	Log io.Writer
	// Binary is the program of the engine; empty: the one that Find returns.
	Binary string
	// Owner is what a guard tells programs along with the address of the engine.
	Owner Owner
	// Restarted, if not nil, is called when the engine behind a guard has ended by
	// itself, with the reason, and was started again.
	Restarted func(error)
}

// Engine is a running engine.
type Engine struct {
	// Endpoint is its URL, http://host:port.
	Endpoint string

	process *os.Process
	done    chan struct{}
	exit    error // why it ended; read after done is closed
	stop    sync.Once
	stopped error // what Stop returns
}

// Start starts an engine and returns when it accepts connections. ctx bounds the
// start only; Stop ends the engine. Errors are one sentence, and wrap
// ErrNotFound, ErrAddressInUse, ErrDatabaseInUse or ErrDatabase if that is the
// reason.
func Start(ctx context.Context, o Options) (*Engine, error) {
	if o.Addr == "" {
		o.Addr = loopback + ":0"
	}
	if o.Binary == "" {
		binary, err := Find()
		if err != nil {
			return nil, err
		}
		o.Binary = binary
	}
	host, port, err := splitLoopback(o.Addr)
	if err != nil {
		return nil, err
	}
	if port != 0 {
		// When the address and the database are both in use, report the address.
		if _, err := claimPort(ctx, host, port); err != nil {
			return nil, err
		}
	}
	lock, err := prepareDatabase(ctx, o.DBPath)
	if err != nil {
		return nil, err
	}
	if lock != nil {
		// The engine inherits the lock; our copy would keep it after the engine
		// has ended.
		defer lock.Close() //nolint:errcheck // nothing was written
		if err := uncut(o.DBPath); err != nil {
			return nil, err
		}
	}
	for try := 1; ; try++ {
		e, err := start(ctx, o, host, port, lock)
		if errors.Is(err, ErrAddressInUse) && port == 0 && try < attempts {
			continue
		}
		return e, err
	}
}

// Done is closed when the engine has ended, whether by Stop or by itself.
func (e *Engine) Done() <-chan struct{} { return e.done }

// Pid is the engine's process id.
func (e *Engine) Pid() int { return e.process.Pid }

// Stop ends the engine and waits for it: it asks first, and kills it after five
// seconds. If the engine had ended before, the error says so, and how. Further
// calls wait for the first one and return the same.
func (e *Engine) Stop() error {
	e.stop.Do(func() {
		select {
		case <-e.done:
			e.stopped = e.exit
			return
		default:
		}
		if err := e.process.Signal(syscall.SIGTERM); err != nil {
			_ = e.process.Kill() // it has just ended, or the system has no signals
		}
		select {
		case <-e.done:
		case <-time.After(stopLimit):
			_ = e.process.Kill()
			<-e.done
		}
	})
	return e.stopped
}

// splitLoopback splits an address; port 0 is any port.
func splitLoopback(addr string) (host string, port int, err error) {
	host, number, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("engine address %q: want host:port: %w", addr, err)
	}
	port, err = strconv.Atoi(number)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("engine address %q: the port must be a number from 0 to 65535", addr)
	}
	if host == "localhost" {
		host = loopback
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return "", 0, fmt.Errorf("engine address %q: the engine checks no credentials, so it listens on a loopback address only, such as 127.0.0.1", addr)
	}
	return host, port, nil
}

// claimPort checks that the port is free, or picks a free one.
func claimPort(ctx context.Context, host string, port int) (int, error) {
	l, err := listen(ctx, host, port)
	if err != nil {
		return 0, err
	}
	port = l.Addr().(*net.TCPAddr).Port
	return port, l.Close()
}

func inUse(host string, port int) error {
	if port == 0 { // connections that have just ended hold a port for a minute
		return fmt.Errorf("%w: %s has no free port", ErrAddressInUse, host)
	}
	return fmt.Errorf("%w: something already listens on %s", ErrAddressInUse, net.JoinHostPort(host, strconv.Itoa(port)))
}

func start(ctx context.Context, o Options, host string, port int, lock *os.File) (*Engine, error) {
	port, err := claimPort(ctx, host, port)
	if err != nil {
		return nil, err
	}
	args := []string{"serve", "--host", host, "--port", strconv.Itoa(port)}
	if o.DBPath != "" {
		args = append(args, "--db-path", o.DBPath)
	}
	cmd := exec.Command(o.Binary, args...) //nolint:gosec // the program is the operator's installation
	if lock != nil {
		cmd.ExtraFiles = []*os.File{lock}
	}
	watch := &watcher{log: o.Log, ready: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = watch, watch

	e, err := launch(cmd, host, port)
	if err != nil {
		return nil, startFault(o.Binary, err)
	}
	if err := e.await(ctx, watch.ready); errors.Is(err, errEnded) {
		return nil, exitFault(watch.said(), o.DBPath, host, port)
	} else if err != nil {
		return nil, err
	}
	return e, nil
}

// launch starts the process of an engine, tied to this one.
func launch(cmd *exec.Cmd, host string, port int) (*Engine, error) {
	cmd.Env = environment()
	cmd.SysProcAttr = attributes()
	e := &Engine{Endpoint: "http://" + net.JoinHostPort(host, strconv.Itoa(port)), done: make(chan struct{})}
	started := make(chan error)
	go e.run(cmd, started)
	return e, <-started
}

// errEnded says that an engine ended before it was ready.
var errEnded = errors.New("the engine ended before it listened")

// await waits until ready is closed; if that takes too long it kills the engine.
func (e *Engine) await(ctx context.Context, ready <-chan struct{}) error {
	limit := time.NewTimer(startLimit)
	defer limit.Stop()
	var err error
	select {
	case <-ready:
		return nil
	case <-e.done:
		return errEnded
	case <-ctx.Done():
		err = ctx.Err()
	case <-limit.C:
		err = fmt.Errorf("it did not listen within %v", startLimit)
	}
	_ = e.Stop()
	return fmt.Errorf("start the engine: %w", err)
}

// run starts the process and waits for it in one thread: the kernel kills the
// child when the thread that created it ends (see attributes), so that thread
// must live as long as the child.
func (e *Engine) run(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	e.process = cmd.Process
	started <- nil
	err := cmd.Wait()
	if err == nil {
		err = errors.New("exit status 0")
	}
	e.exit = fmt.Errorf("the DynamoDB engine ended by itself: %w", err)
	close(e.done)
}

// environment passes to the engine what any program needs, and none of the
// operator's credentials or keys.
//
// The engine gets one worker thread. It has one connection to its file, so that
// more threads wait for each other, above all in the allocator of its C library:
// a large load takes it twice the processor time with two of them (dynoxide
// 1.2.1), and reads of many clients gain a fifth at most.
func environment() []string {
	env := []string{"TOKIO_WORKER_THREADS=1"}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "LANG"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func startFault(binary string, err error) error {
	if errors.Is(err, syscall.ENOEXEC) {
		return fmt.Errorf("the engine %s is not a program for %s/%s: install the one for this machine, or use a DynamoDB endpoint of your own", binary, runtime.GOOS, runtime.GOARCH)
	}
	if errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("the engine %s cannot be run: check its mode (chmod +x), or run `make deps` again", binary)
	}
	return fmt.Errorf("start the engine: %w", err)
}

// exitFault turns the last output of the engine into one sentence. Only the
// choice of the sentence depends on the engine's wording.
func exitFault(said, dbPath, host string, port int) error {
	said = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(said), "error:"))
	switch {
	case strings.Contains(said, "already in use"):
		return inUse(host, port)
	case dbPath != "" && (strings.Contains(said, "not a valid SQLite") || strings.Contains(said, "malformed")):
		return fmt.Errorf("%w: %s is not a database of this engine, or is damaged: `touchline restore` puts a backup in its place; without one move it away and import the data again", ErrDatabase, dbPath)
	case dbPath != "" && strings.Contains(said, "database"):
		return fmt.Errorf("%w: %s: %s", ErrDatabase, dbPath, said)
	case said == "":
		return fmt.Errorf("%w and printed no reason", errEnded)
	}
	return fmt.Errorf("%w: %s", errEnded, said)
}

// private makes the files of a database those of their owner alone, whatever its
// folder is. The engine gives further files the mode of the first.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	err = f.Close()
	for _, name := range append(keptFiles(path), path+"-wal", path+"-shm", path) {
		if info, missing := os.Stat(name); missing == nil && info.Mode().Perm()&0o077 != 0 {
			err = errors.Join(err, os.Chmod(name, 0o600))
		}
	}
	return err
}

// prepareDatabase creates the folder and takes the lock of the file; nil if
// there is no file.
func prepareDatabase(ctx context.Context, path string) (*os.File, error) {
	if path == "" {
		return nil, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDatabase, err)
	}
	if err := private(path); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDatabase, err)
	}
	lock, err := locked(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := settled(path); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrDatabase, err), lock.Close())
	}
	return lock, nil
}

// locked takes the lock of a database.
func locked(ctx context.Context, path string) (*os.File, error) {
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDatabase, err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	again := time.NewTicker(lockLimit / 100)
	defer again.Stop()
	for exclusive(lock) != nil {
		select {
		case <-again.C:
		case <-ctx.Done():
			_ = lock.Close()
			return nil, fmt.Errorf("%w: another engine has %s open: stop it, or use another folder", ErrDatabaseInUse, path)
		}
	}
	return lock, nil
}
