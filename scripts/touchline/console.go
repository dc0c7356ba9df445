package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
)

// console is where a command runs.
type console struct {
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

// readSecret asks a person for a secret, or reads the first line of In.
func (c *console) readSecret(prompt string) (string, error) {
	if c.ReadPassword != nil {
		_, _ = fmt.Fprint(c.Err, prompt)
		text, err := c.ReadPassword()
		c.sayf("")
		return strings.TrimSpace(string(text)), err
	}
	line, err := bufio.NewReader(io.LimitReader(c.In, longestSecret)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimSpace(line), nil
}

// printf writes a result.
func (c *console) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Out, format, args...) // a closed pipe is the reader's wish
}

// sayf writes a line for the person at the terminal.
func (c *console) sayf(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Err, format+"\n", args...)
}

// json writes a result as one line for machines, indented where a person reads it.
func (c *console) json(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	if c.OutTerminal {
		e.SetIndent("", "  ")
	}
	return e.Encode(v)
}

// patience is how long a command may be silent: what takes longer shows its
// progress.
const patience = time.Second

// progress shows how far a command is, on a terminal and after a second.
type progress struct {
	console *console
	label   string
	total   int // 0: not known
	begun   time.Time
	bar     *progressbar.ProgressBar
}

// progress begins to show the progress of total steps.
func (c *console) progress(label string, total int) *progress {
	return &progress{console: c, label: label, total: total, begun: c.Now()}
}

// at shows that n steps are done.
func (p *progress) at(n int) {
	if !p.console.ErrTerminal || p.console.Now().Sub(p.begun) < patience {
		return
	}
	if p.bar == nil {
		total := p.total
		if total == 0 {
			total = -1
		}
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.console.Err),
			progressbar.OptionSetDescription(p.label),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionClearOnFinish(),
			// Else one whose total is not known turns for ever, over what comes after it.
			progressbar.OptionSetSpinnerChangeInterval(0),
		)
	}
	_ = p.bar.Set(n) // only shown
}

// end takes the progress off the terminal.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
