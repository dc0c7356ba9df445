package serve

import (
	"path/filepath"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/doctor"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
	"touchline/shared/problem"
	"touchline/shared/stack"
)

// healthFlags select the address for those who watch the service.
type healthFlags struct {
	Health string `placeholder:"HOST:PORT" help:"Where to serve /health, to this machine only (default: nowhere)."`
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
