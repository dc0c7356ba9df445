package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"touchline/scripts/requests"
	"touchline/shared/accesslog"
	"touchline/shared/engine"
)

// requestLog is where serve logs requests: lines of JSON for `touchline why`,
// and short ones for who sits at the terminal.
type requestLog struct {
	lines io.Writer              // nil: nowhere
	also  func(*accesslog.Entry) // nil: nobody watches
	close func() error
}

// logName is the file in the folder of the data, where `touchline why` looks.
const logName = "requests.log"

// logFlags say where the log of requests is.
type logFlags struct {
	DataDir string `placeholder:"DIR" help:"Folder of the embedded engine's data, and of the log of requests (default: .touchline; for other commands, while serve runs, that of serve)."`
	Log     string `name:"log" placeholder:"FILE" help:"Log of requests, a line of JSON each (default: requests.log in --data-dir)."`
}

// dataDir is the folder of the data.
func (f logFlags) dataDir() string { return cmp.Or(f.DataDir, ".touchline") }

// file is the log's path.
func (f logFlags) file() string {
	if f.Log != "" {
		return f.Log
	}
	return filepath.Join(f.dataDir(), logName)
}

// orThoseOfServe returns the flags of a command that reads the log; without
// flags, those of the serve whose engine is at endpoint, in whatever folder it
// runs.
func (f logFlags) orThoseOfServe(ctx context.Context, endpoint string) logFlags {
	if f.Log != "" || f.DataDir != "" {
		return f
	}
	if owner, ok := engine.OwnerOf(ctx, endpoint); ok && filepath.IsAbs(owner.Log) {
		f.Log = owner.Log
	}
	return f
}

// missing says what to do where there is no log.
func (f logFlags) missing() error {
	return fmt.Errorf("no log at %s: start `touchline serve` in this folder, or say where its log is with --data-dir or --log; with --stack NAME the one on AWS is read", f.file())
}

// open begins to log. The terminal shows every request, or only those that
// failed for a fault of ours.
func (f logFlags) open(c *console, quiet bool) (requestLog, error) {
	if f.Log == "-" {
		return requestLog{lines: c.Err, close: func() error { return nil }}, nil
	}
	file, err := openLogFile(f.file(), logSize)
	if err != nil {
		return requestLog{}, fmt.Errorf("log of requests: %w: name another file with --log", err)
	}
	watch := &watcher{console: c, quiet: quiet}
	return requestLog{lines: file, also: watch.request, close: file.Close}, nil
}

func (l requestLog) logger() *slog.Logger {
	if l.lines == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewJSONHandler(l.lines, nil))
}

// watcher shows requests to a person.
type watcher struct {
	console *console
	quiet   bool
	mu      sync.Mutex
}

// request shows one, as
//
//	15:09:26 GET /v1/teams/{id} 401 unauthorized: nonce (nonceUsed) 3.2 ms, why 0b5f…
func (w *watcher) request(e *accesslog.Entry) {
	fault := e.Status >= 500
	if w.quiet && !fault {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	l := lineOf(e)
	text := fmt.Sprintf("%s %s %s", e.At.Local().Format(time.TimeOnly), requests.Asked(&l), requests.Answered(&l))
	if e.Check.Number != 0 {
		text += fmt.Sprintf(": %s (%s)", e.Check.Name, e.Why.Word)
	}
	text += fmt.Sprintf(" %s, touchline why %s", requests.Milliseconds(e.Took.Microseconds()), e.RequestID)
	if fault {
		text += "\n  " + e.Cause
	}
	w.console.sayf("%s", text)
}

// lineOf is an entry's line as far as a person is shown it.
func lineOf(e *accesslog.Entry) accesslog.Line {
	return accesslog.Line{Method: e.Method, Route: e.Route, Status: e.Status, Code: e.Code}
}

// logSize in bytes is what a log file grows to before it becomes the former one:
// ten thousand requests. There are two of them at most.
const logSize = 10 << 20

// logFile is a file that lines are written to, bounded in size. It is safe for
// concurrent use.
type logFile struct {
	path  string
	limit int64

	mu   sync.Mutex
	file *os.File
	size int64
}

// openLogFile goes on with the file at path. A line that a killed process left
// unfinished is ended, so that the next is one of its own.
func openLogFile(path string, limit int64) (*logFile, error) {
	l := &logFile{path: path, limit: limit}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := l.open(); err != nil {
		return nil, err
	}
	return l, l.endLine()
}

func (l *logFile) open() error {
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	l.file, l.size = file, info.Size()
	return nil
}

func (l *logFile) endLine() error {
	if l.size == 0 {
		return nil
	}
	last := make([]byte, 1)
	if _, err := l.file.ReadAt(last, l.size-1); err != nil {
		return errors.Join(err, l.file.Close())
	}
	if last[0] == '\n' {
		return nil
	}
	_, err := l.Write([]byte("\n"))
	return err
}

// Write implements io.Writer for one line.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return 0, fs.ErrClosed
	}
	if l.size > 0 && l.size+int64(len(line)) > l.limit {
		if err := l.turn(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(line)
	l.size += int64(n)
	return n, err
}

// turn makes the full file the former one, in place of the one before.
func (l *logFile) turn() error {
	closed := l.file.Close()
	l.file = nil
	if err := errors.Join(closed, os.Rename(l.path, l.path+requests.Former)); err != nil {
		return errors.Join(err, l.open())
	}
	return l.open()
}

// Close ends the log.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return file.Close()
}
