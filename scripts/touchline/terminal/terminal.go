// Package terminal is where a command runs: what it reads and writes, its
// environment and its clock.
//
// Results go to standard output (Printf, JSON), everything else to standard error
// (Sayf). Colours, and the progress of what takes longer than [Patience], are for a
// person: none of them reaches a pipe or a file. Text of the data passes [Plain] on
// its way to a terminal, since it could move the cursor. A secret is only read by
// ReadSecret, which does not show it. A call that is wrong in itself is a
// [UsageError]; the command line ends with 2 for it, and says how to get help.
package terminal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Terminal is where a command runs.
type Terminal struct {
	In          io.Reader
	Out, Err    io.Writer
	OutTerminal bool // a person reads Out
	ErrTerminal bool // a person reads Err
	Getenv      func(string) string
	Now         func() time.Time
	// ReadPassword reads a line from the terminal without showing it; nil where In
	// is no terminal.
	ReadPassword func() ([]byte, error)
}

// longestSecret in bytes is far above the 43 of a secret.
const longestSecret = 4096

// ReadSecret asks a person for a secret, or reads the first line of In.
func (c *Terminal) ReadSecret(prompt string) (string, error) {
	if c.ReadPassword != nil {
		_, _ = fmt.Fprint(c.Err, prompt)
		text, err := c.ReadPassword()
		c.Sayf("")
		return strings.TrimSpace(string(text)), err
	}
	line, err := bufio.NewReader(io.LimitReader(c.In, longestSecret)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimSpace(line), nil
}

// Printf writes a result.
func (c *Terminal) Printf(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Out, format, args...) // a closed pipe is the reader's wish
}

// Sayf writes a line for the person at the terminal.
func (c *Terminal) Sayf(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Err, format+"\n", args...)
}

// JSON writes a result as one line for machines, indented where a person reads it.
func (c *Terminal) JSON(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	if c.OutTerminal {
		e.SetIndent("", "  ")
	}
	return e.Encode(v)
}
