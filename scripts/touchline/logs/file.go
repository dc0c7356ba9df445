// Package logs is about the log of requests: where it is, how serve writes it,
// and the commands that read it, `touchline logs` and `touchline why`.
//
// The log of serve is a file of JSON lines in the folder of its data. At 10 MB
// it becomes the former log, replacing the one before, so that there are at most
// two files. If a killed process left a line unfinished, the next process ends
// it, and readers skip it. The lines of a deployment are in CloudWatch Logs,
// where they are searched. Package requests reads lines and explains them.
package logs

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
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
	"touchline/shared/engine"
)

// RequestLog is where serve logs requests: JSON lines for `touchline why`, and
// short ones for the person at the terminal.
type RequestLog struct {
	lines io.Writer // nil: nowhere
	// Also shows a request at the terminal; nil: nobody is watching.
	Also func(*accesslog.Entry)
	// Reopen opens the log's file again, which somebody has moved away.
	Reopen func() error
	// Close ends the log.
	Close func() error
}

// FileName is the file in the folder of the data, where `touchline why` looks.
const FileName = "requests.log"

// FileFlags select the log of requests.
type FileFlags struct {
	DataDir string `placeholder:"DIR" help:"Folder of the embedded engine's data, and of the log of requests (default: .touchline; for other commands, while serve runs, that of serve)."`
	Log     string `name:"log" placeholder:"FILE" help:"Log of requests, a line of JSON each (default: requests.log in --data-dir)."`
}

// Folder is the folder of the data.
func (f FileFlags) Folder() string { return cmp.Or(f.DataDir, ".touchline") }

// File is the log's path.
func (f FileFlags) File() string {
	if f.Log != "" {
		return f.Log
	}
	return filepath.Join(f.Folder(), FileName)
}

// OrThoseOfServe returns the flags or, if there are none, those of the serve
// whose engine is at endpoint, in whatever folder it runs.
func (f FileFlags) OrThoseOfServe(ctx context.Context, endpoint string) FileFlags {
	if f.Log != "" || f.DataDir != "" {
		return f
	}
	if owner, ok := engine.OwnerOf(ctx, endpoint); ok && filepath.IsAbs(owner.Log) {
		f.Log = owner.Log
	}
	return f
}

// Missing says what to do if there is no log.
func (f FileFlags) Missing() error {
	return fmt.Errorf("no log at %s: start `touchline serve` in this folder, or say where its log is with --data-dir or --log; with --stack NAME the one on AWS is read", f.File())
}

// Open opens the log. The terminal shows every request, or only those that
// failed because of us.
func (f FileFlags) Open(c *terminal.Terminal, quiet bool) (RequestLog, error) {
	if f.Log == "-" {
		nothing := func() error { return nil }
		return RequestLog{lines: c.Err, Reopen: nothing, Close: nothing}, nil
	}
	file, err := openLogFile(f.File(), logSize)
	if err != nil {
		return RequestLog{}, fmt.Errorf("log of requests: %w: name another file with --log", err)
	}
	watch := &watcher{terminal: c, quiet: quiet}
	return RequestLog{lines: file, Also: watch.request, Reopen: file.Reopen, Close: file.Close}, nil
}

// Logger returns the logger for the lines of requests.
func (l RequestLog) Logger() *slog.Logger {
	if l.lines == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewJSONHandler(l.lines, nil))
}

// watcher shows requests at the terminal.
type watcher struct {
	terminal *terminal.Terminal
	quiet    bool
	mu       sync.Mutex
}

// request shows a request like this:
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
	w.terminal.Sayf("%s", text)
}

// lineOf is the part of an entry's line that is shown at the terminal.
func lineOf(e *accesslog.Entry) accesslog.Line {
	return accesslog.Line{Method: e.Method, Route: e.Route, Status: e.Status, Code: e.Code}
}

// logSize is the size, in bytes, at which a log file becomes the former one: ten
// thousand requests. There are two files at most.
const logSize = 10 << 20

// logFile is a log file of bounded size. It is safe for concurrent use.
type logFile struct {
	path  string
	limit int64

	mu    sync.Mutex
	ended bool
	file  *os.File // nil: it could not be opened
	size  int64
	torn  bool // the last line was not written whole
}

// openLogFile continues the file at path. It ends a line that a killed process
// left unfinished.
func openLogFile(path string, limit int64) (*logFile, error) {
	l := &logFile{path: path, limit: limit}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := l.open(); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *logFile) open() error {
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	last := []byte("\n")
	if err == nil && info.Size() > 0 {
		_, err = file.ReadAt(last, info.Size()-1)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	l.file, l.size, l.torn = file, info.Size(), last[0] != '\n'
	return nil
}

// Write implements io.Writer for one line. What a full disk has kept of an earlier
// one becomes a line of its own, so that this one can be read.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return 0, fs.ErrClosed
	}
	if l.file == nil {
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	if l.torn {
		line = append([]byte("\n"), line...)
	}
	if l.size > 0 && l.size+int64(len(line)) > l.limit {
		if err := l.turn(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(line)
	l.size += int64(n)
	if n > 0 {
		l.torn = line[n-1] != '\n'
	}
	return n, err
}

// Reopen continues with the file that is at the path now, which it makes if it
// was moved away.
func (l *logFile) Reopen() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return fs.ErrClosed
	}
	var closed error
	if l.file != nil {
		closed = l.file.Close()
		l.file = nil
	}
	return errors.Join(closed, l.open())
}

// turn makes the full file the former one, replacing the one before.
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
	l.ended = true
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return file.Close()
}
