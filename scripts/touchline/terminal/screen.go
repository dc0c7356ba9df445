package terminal

import (
	"bytes"
	"time"
)

// ScreenTime is the clock of a Screen, which does not move.
var ScreenTime = time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)

// Screen is a terminal for tests: nobody sits at it, what a command prints is kept,
// and the environment is a map.
type Screen struct {
	Terminal
	Output, Errors bytes.Buffer
	Env            map[string]string
}

// NewScreen makes a screen with an environment.
func NewScreen(env map[string]string) *Screen {
	s := &Screen{Env: env}
	s.Terminal = Terminal{
		Out: &s.Output, Err: &s.Errors,
		Getenv: func(name string) string { return s.Env[name] },
		Now:    func() time.Time { return ScreenTime },
	}
	return s
}
