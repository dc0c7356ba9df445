package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"touchline/shared/accesslog"
)

type logsCommand struct {
	Follow  bool   `short:"f" help:"Go on with the requests to come, until Ctrl-C."`
	Refused bool   `help:"Only requests that were refused, or failed."`
	Key     string `placeholder:"ID" help:"Only requests with this key."`
	Limit   int    `short:"n" default:"20" placeholder:"N" help:"How many of the requests so far to show (default: ${default}; 0: all)."`
	JSON    bool   `name:"json" help:"Print the lines of the log as they are."`
	logFlags
}

// Help is shown below the flags.
func (logsCommand) Help() string {
	return `Shows the requests in the log of 'touchline serve', the newest last; of a deployment, CloudWatch has them. 'touchline why' explains one.

Examples:

    touchline logs --refused
    touchline logs --follow --key tk_…
`
}

// followEvery is the pause between two looks at the log.
const followEvery = 300 * time.Millisecond

// Run prints the requests.
func (l *logsCommand) Run(ctx context.Context, c *console) error {
	if l.Limit < 0 {
		return usagef("--limit %d: want a number from 0", l.Limit)
	}
	log := l.orThoseOfServe(ctx, databaseFlags{}.endpoint(c.Getenv))
	tail := logTail{path: log.file()}
	shown, err := l.before(&tail)
	if errors.Is(err, fs.ErrNotExist) && !l.Follow {
		return log.missing()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, text := range shown {
		l.print(c, text)
	}
	if !l.Follow {
		return nil
	}
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	return l.follow(ctx, c, &tail, ticker.C)
}

// before are the last lines that are there already; the tail goes on after them.
func (l *logsCommand) before(tail *logTail) ([][]byte, error) {
	var lines [][]byte
	keep := func(text []byte) {
		if l.wanted(text) {
			lines = append(lines, bytes.Clone(text))
		}
		if l.Limit > 0 && len(lines) > 2*l.Limit {
			lines = append(lines[:0], lines[len(lines)-l.Limit:]...)
		}
	}
	_, former := readLines(tail.path+former, func(text []byte) bool { keep(bytes.TrimSpace(text)); return false })
	err := tail.read(keep)
	if errors.Is(err, fs.ErrNotExist) && former == nil {
		err = nil // it was moved just now
	}
	if l.Limit > 0 && len(lines) > l.Limit {
		lines = lines[len(lines)-l.Limit:]
	}
	return lines, err
}

// follow prints what is added at each tick, until ctx ends.
func (l *logsCommand) follow(ctx context.Context, c *console, tail *logTail, tick <-chan time.Time) error {
	for {
		select {
		case <-tick:
			err := tail.read(func(text []byte) {
				if l.wanted(text) {
					l.print(c, text)
				}
			})
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

func (l *logsCommand) wanted(text []byte) bool {
	line, err := accesslog.Parse(text)
	return err == nil && (!l.Refused || line.Status >= 400) && (l.Key == "" || line.KeyID == l.Key)
}

func (l *logsCommand) print(c *console, text []byte) {
	if l.JSON {
		c.printf("%s\n", text)
		return
	}
	line, _ := accesslog.Parse(text) // wanted has
	c.printf("%s %s\n", line.Time.Local().Format(time.DateTime), shortLine(c, &line))
}

// shortLine is a request in one line, as
//
//	GET /v1/teams/{id} 401 unauthorized: nonce (nonceUsed) 3.2 ms, key tk_…, touchline why 0b5f…
func shortLine(c *console, l *accesslog.Line) string {
	text := fmt.Sprintf("%s %s", asked(l), c.colour(statusColour(l.Status), answered(l)))
	if l.Check != 0 {
		text += fmt.Sprintf(": %s (%s)", l.RefusedBy, l.Why)
	}
	text += " " + milliseconds(l.DurationMicros)
	if l.KeyID != "" {
		text += ", key " + l.KeyID
	}
	return text + ", touchline why " + l.RequestID
}

// logTail reads a log from where it stopped the time before, also over the
// change to a new file.
type logTail struct {
	path string
	at   int64
	file fs.FileInfo // the one that at is in
}

// read hands on each whole line that was added. The error is fs.ErrNotExist
// where there is no log.
func (t *logTail) read(use func(line []byte)) error {
	file, err := os.Open(filepath.Clean(t.path))
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // only read
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if t.file != nil && !os.SameFile(t.file, info) {
		t.rest(use)
		t.at = 0
	}
	t.file = info
	n, err := linesFrom(file, t.at, use)
	t.at += n
	return err
}

// rest hands on what was added to the file that has become the former one.
func (t *logTail) rest(use func(line []byte)) {
	file, err := os.Open(filepath.Clean(t.path + former))
	if err != nil {
		return
	}
	defer file.Close() //nolint:errcheck // only read
	if info, err := file.Stat(); err == nil && os.SameFile(t.file, info) {
		_, _ = linesFrom(file, t.at, use) // shown as far as it can be read
	}
}

// linesFrom hands on the whole lines of a file from an offset, and returns how
// many bytes those have.
func linesFrom(file *os.File, at int64, use func(line []byte)) (read int64, err error) {
	if _, err := file.Seek(at, io.SeekStart); err != nil {
		return 0, err
	}
	r := newLineReader(file)
	for {
		line, n, err := r.next()
		if errors.Is(err, io.EOF) {
			return read, nil
		}
		if err != nil {
			return read, err
		}
		read += n
		if line != nil && json.Valid(line) {
			use(line)
		}
	}
}
