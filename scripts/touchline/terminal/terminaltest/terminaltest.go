// Package terminaltest has a terminal for tests: what a command prints is kept, the
// environment is a map, and the clock stands still.
package terminaltest

import (
	"bytes"
	"time"

	"touchline/scripts/touchline/terminal"
)

// Time is the clock of every command in a test.
var Time = time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)

// Screen is a terminal whose output a test reads.
type Screen struct {
	terminal.Terminal
	Output, Errors bytes.Buffer
	Env            map[string]string
}

// New is a terminal with an environment, which nobody sits at.
func New(env map[string]string) *Screen {
	b := &Screen{Env: env}
	b.Terminal = terminal.Terminal{
		Out: &b.Output, Err: &b.Errors,
		Getenv: func(name string) string { return b.Env[name] },
		Now:    func() time.Time { return Time },
	}
	return b
}
