// Package logs is about the log of requests: how serve writes it, and `touchline why`,
// which finds a line of it and says what it means ([Meaning]).
//
// The log of serve is a file of JSON lines, which the system's own tools select from and
// rotate. If a killed process left a line unfinished, the next process ends it, and readers
// skip it. The lines of a deployment are in CloudWatch Logs, where they are searched
// ([Insights]).
package logs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
)

// RequestLog is where serve logs requests: JSON lines for `touchline why`, and
// short ones for the person at the terminal. Of the zero value nothing is kept.
type RequestLog struct {
	Lines io.Writer // nil: nowhere
	// Also shows a request at the terminal; nil: nobody is watching.
	Also func(*accesslog.Line)
	*logFile
}

// FileName is the file in the folder of the data, where `touchline why` looks.
const FileName = "requests.log"

// onTerminal is the log that is the terminal: standard error, or to read standard input.
const onTerminal = "-"

// FileFlags select the log of requests.
type FileFlags struct {
	database.Local
	LogFlag
}

// LogFlag names the log of requests.
type LogFlag struct {
	Log string `name:"log" placeholder:"FILE" help:"Log of requests, a line of JSON each (default: requests.log in --data-dir); - is the terminal."`
}

// File is the log's path.
func (f FileFlags) File() string {
	if f.Log != "" {
		return f.Log
	}
	return filepath.Join(f.Folder(), FileName)
}

// Missing says what to do if there is no log.
func (f FileFlags) Missing() error {
	return fmt.Errorf("no log at %s: start `touchline serve` in this folder, or say where its log is with --data-dir or --log; with --stack NAME the one on AWS is read", f.File())
}

// Open opens the log. The terminal shows every request, or only those that failed because
// of us.
func (f FileFlags) Open(c *terminal.Terminal, quiet bool) (RequestLog, error) {
	if f.Log == onTerminal {
		return RequestLog{Lines: c.Err}, nil
	}
	file, err := openLogFile(f.File())
	if err != nil {
		return RequestLog{}, fmt.Errorf("log of requests: %w: name another file with --log", err)
	}
	watch := &watcher{terminal: c, quiet: quiet}
	return RequestLog{Lines: file, Also: watch.request, logFile: file}, nil
}

// logFile is a log. It is safe for concurrent use; of nil there is
// nothing to open or to close.
type logFile struct {
	path string

	mu    sync.Mutex
	file  *os.File // nil: it could not be opened
	torn  bool     // the last line was not written whole
	fault error    // of the last line
	lost  []byte
}

// openLogFile continues the file at path.
func openLogFile(path string) (*logFile, error) {
	l := &logFile{path: path}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return l, l.open()
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
	l.file, l.torn = file, last[0] != '\n'
	return nil
}

// Write implements io.Writer for one line. What a full disk has kept of an earlier
// one becomes a line of its own, so that this one can be read.
func (l *logFile) Write(line []byte) (n int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n, err = l.write(line); err != nil {
		l.lost = slices.Clone(line)
	}
	return n, err
}

func (l *logFile) write(line []byte) (n int, err error) {
	defer func() { l.fault = err }()
	if l.file == nil {
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	if l.torn {
		line = append([]byte("\n"), line...)
	}
	n, err = l.file.Write(line)
	if n > 0 {
		l.torn = line[n-1] != '\n'
	}
	return n, err
}

// shut closes the file, which the next line opens.
func (l *logFile) shut() error {
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return file.Close()
}

// Reopen continues with the file that is at the path now, which it makes if it
// was moved away.
func (l *logFile) Reopen() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.shut(), l.open())
}

// Fault is why the last line was lost, which it tries to write once more: there may be
// room again, and no request to find that out. nil: it was written.
func (l *logFile) Fault() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fault != nil {
		_, _ = l.write(l.lost) // which keeps the error
	}
	return l.fault
}

// Close ends the log.
func (l *logFile) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shut()
}

// watcher shows requests at the terminal.
type watcher struct {
	terminal *terminal.Terminal
	quiet    bool
	mu       sync.Mutex
}

// request shows a request with its time, and the cause of a fault.
func (w *watcher) request(l *accesslog.Line) {
	fault := l.Status >= 500
	if w.quiet && !fault {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	text := fmt.Sprintf("%s %s", l.Time.Local().Format(time.TimeOnly), shortLine(l))
	if fault {
		text += "\n  " + l.Cause
	}
	w.terminal.Sayf("%s", text)
}

// shortLine is a request in one line with what was answered, like this:
//
//	GET /v1/teams/{id} 401 unauthorized: nonce (nonceUsed) 3.2 ms, key tk_…, touchline why 0b5f…
func shortLine(l *accesslog.Line) string {
	text := fmt.Sprintf("%s %s", asked(l), answered(l))
	if l.Check != 0 {
		text += fmt.Sprintf(": %s (%s)", l.RefusedBy, l.Why)
	} else if l.Why != "" {
		text += fmt.Sprintf(": %s", l.Why)
	}
	text += " " + milliseconds(l.DurationMicros)
	if l.KeyID != "" {
		text += ", key " + l.KeyID
	}
	return text + ", touchline why " + l.RequestID
}
