package serve

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"syscall"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/doctor"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
	"touchline/shared/local"
	"touchline/shared/problem"
	"touchline/shared/stack"
)

// healthFlags select the address for those who watch the service.
type healthFlags struct {
	Health string `placeholder:"HOST:PORT" help:"Where to serve /health, to this machine only (default: nowhere)."`
}

// listenForHealth opens that address; nil if there is to be none.
func (s *Command) listenForHealth() (net.Listener, error) {
	if s.Health == "" {
		return nil, nil //nolint:nilnil // none was asked for
	}
	if !local.LoopbackHost(s.Health) {
		return nil, terminal.Usagef("--health %q: want an address of this machine alone, such as 127.0.0.1:8082", s.Health)
	}
	l, err := net.Listen("tcp", s.Health)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use: choose another address with --health", s.Health)
	case err != nil:
		return nil, terminal.Usagef("--health %q: %v", s.Health, err)
	}
	return l, nil
}

// watched adds to the box what has been opened.
func watched(b *doctor.Box, d *database.Database, log logs.RequestLog) {
	b.Sports = d.Sports()
	b.Nonces = d.Nonces()
	b.LogFault = log.Fault
}

// refused logs the requests that the front door refuses.
func refused(c *terminal.Terminal, log logs.RequestLog) func(why accesslog.Word, id, method string, bytes int) {
	lines := &accesslog.Log{Lines: log.Lines, Stage: stack.LocalStage, Also: log.Also}
	return func(why accesslog.Word, id, method string, bytes int) {
		lines.Write(&accesslog.Line{
			Time: c.Now(), RequestID: id, Method: method, Bytes: bytes,
			Status: problem.Forbidden.Status(), Code: string(problem.Forbidden), Why: why,
		}, nil)
	}
}

// absolute is a path for other processes; empty if it is not known.
func absolute(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	return path
}
