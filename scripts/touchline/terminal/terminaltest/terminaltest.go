// Package terminaltest is a terminal for tests: output is kept, the environment
// is a map, and the clock does not move.
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

// New makes a terminal with an environment, without a person.
func New(env map[string]string) *Screen {
	b := &Screen{Env: env}
	b.Terminal = terminal.Terminal{
		Out: &b.Output, Err: &b.Errors,
		Getenv: func(name string) string { return b.Env[name] },
		Now:    func() time.Time { return Time },
	}
	return b
}
