// Package terminal is the environment of a command: what it reads and writes,
// its variables and its clock.
//
// Results go to standard output (Printf, JSON), everything else to standard
// error (Sayf), with a line every 30 seconds of what takes long ([Steps]). Text from the data has
// to pass [Plain] before it is shown at a terminal, since it could move the cursor. A wrong call is a [UsageError]; the
// command then exits with 2, and says how to get help.
package terminal

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Terminal is the environment of a command.
type Terminal struct {
	In          io.Reader
	Out, Err    io.Writer
	OutTerminal bool // a person reads Out
	ErrTerminal bool // a person reads Err
	InTerminal  bool // a person writes In
	Getenv      func(string) string
	Now         func() time.Time
	// Busy, if not nil, is called whenever progress is made, for whoever waits for the
	// command.
	Busy func()
}

// Asks reports whether a person is there to answer a question.
func (c *Terminal) Asks() bool { return c.InTerminal && c.ErrTerminal }

// Confirm asks a person a question, and reports whether the answer is yes.
func (c *Terminal) Confirm(ctx context.Context, question string) (bool, error) {
	_, _ = fmt.Fprint(c.Err, question+" [y/N] ")
	answer := make(chan string, 1)
	go func() { // reading ends with the process
		line, _ := bufio.NewReader(io.LimitReader(c.In, longestAnswer)).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case line := <-answer:
		return line == "y" || line == "yes", nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// Pause waits for a time, or until ctx ends, whose cause is the error.
func Pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// longestAnswer is a size in bytes, far above that of a yes.
const longestAnswer = 4096

// Printf writes a result.
func (c *Terminal) Printf(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Out, format, args...) // the reader may close the pipe
}

// Sayf writes a line to standard error.
func (c *Terminal) Sayf(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Err, format+"\n", args...)
}

// JSON writes a result as one line for programs, or indented at a terminal.
func (c *Terminal) JSON(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	if c.OutTerminal {
		e.SetIndent("", "  ")
	}
	return e.Encode(v)
}

// UsageError is a wrong call that only the command itself can detect.
type UsageError struct{ error }

// Usage turns an error into a usage error.
func Usage(err error) error { return UsageError{err} }

// Usagef makes a usage error from a format.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }
