// Package logs is about the log of requests: where it is, how serve writes it,
// and the commands that read it, `touchline logs` and `touchline why`.
//
// The log of serve is a file of JSON lines in the folder of its data. At 10 MB, and
// with each UTC day, it becomes the newest of the former ones, which are kept for a
// number of days and up to a size ([KeepFlags]). If a killed process left a line
// unfinished, the next process ends it, and readers skip it. The lines of a
// deployment are in CloudWatch Logs, where they are searched. Package requests reads
// lines and explains them.
package logs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
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
	// Fault is why the last line was lost; nil: it was written.
	Fault func() error
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

// KeepFlags say how much of the log is kept.
type KeepFlags struct {
	LogDays      int `name:"log-days" default:"30" placeholder:"N" help:"Days that requests stay in the log (default: ${default})."`
	LogMegabytes int `name:"log-megabytes" default:"200" placeholder:"N" help:"MB that the files of the log may have together; the oldest go first (default: ${default}, some 400,000 requests)."`
}

// check refuses what would keep nothing.
func (k KeepFlags) check() error {
	if k.LogDays < 1 {
		return terminal.Usagef("--log-days %d: want a number from 1", k.LogDays)
	}
	if least := 2 * logSize >> 20; k.LogMegabytes < least {
		return terminal.Usagef("--log-megabytes %d: want a number from %d", k.LogMegabytes, least)
	}
	return nil
}

// Open opens the log. The terminal shows every request, or only those that
// failed because of us.
func (f FileFlags) Open(c *terminal.Terminal, keep KeepFlags, quiet bool) (RequestLog, error) {
	if err := keep.check(); err != nil {
		return RequestLog{}, err
	}
	if f.Log == "-" {
		nothing := func() error { return nil }
		return RequestLog{lines: c.Err, Reopen: nothing, Fault: nothing, Close: nothing}, nil
	}
	file, err := openLogFile(f.File(), kept{logSize, int64(keep.LogMegabytes) << 20, keep.LogDays}, c.Now)
	if err != nil {
		return RequestLog{}, fmt.Errorf("log of requests: %w: name another file with --log", err)
	}
	watch := &watcher{terminal: c, quiet: quiet}
	return RequestLog{lines: file, Also: watch.request, Reopen: file.Reopen, Fault: file.Fault, Close: file.Close}, nil
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
	} else if e.Why.Word != "" {
		text += fmt.Sprintf(": %s", e.Why.Word)
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
