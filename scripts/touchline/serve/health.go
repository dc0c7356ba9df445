package serve

import (
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
