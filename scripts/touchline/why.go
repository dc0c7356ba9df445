package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/google/uuid"

	"touchline/shared/accesslog"
	"touchline/shared/meter"
)

type whyCommand struct {
	RequestID string        `arg:"" name:"request-id" help:"X-Request-Id of the answer."`
	Since     time.Duration `default:"24h" placeholder:"TIME" help:"How far back to look on AWS, such as 90m or 72h (default: ${default})."`
	JSON      bool          `name:"json" help:"Print the line of the log as it is."`
	logFlags
	stackFlags
}

// Help is shown below the flags.
func (whyCommand) Help() string {
	return `Finds the line of the log about one request, and says which check refused it, why, and what to do. It looks in the log of 'touchline serve' on this machine or, with --stack, in CloudWatch Logs.

Examples:

    touchline why 0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11
    touchline why --stack prod --since 72h 0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11
`
}

// Run prints what the log has about the request.
func (w *whyCommand) Run(ctx context.Context, c *console) error {
	id, err := uuid.Parse(w.RequestID)
	if err != nil || len(w.RequestID) != len(id.String()) {
		return usagef("%q is no request id: want the X-Request-Id of an answer, such as 0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11", w.RequestID)
	}
	if w.Since <= 0 {
		return usagef("--since %s: want a time above zero, such as 24h", w.Since)
	}
	find := w.local
	if w.Stack != "" {
		find = w.onAWS
	}
	line, text, err := find(ctx, c, id.String())
	if err != nil {
		return err
	}
	if w.JSON {
		return c.json(json.RawMessage(text))
	}
	c.printf("%s", inWords(line))
	return nil
}

// local finds the line in the log of serve.
func (w *whyCommand) local(ctx context.Context, c *console, id string) (*accesslog.Line, []byte, error) {
	log := w.orThoseOfServe(ctx, databaseFlags{}.endpoint(c.Getenv))
	line, text, err := findLine(log.file(), id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, log.missing()
	case err != nil:
		return nil, nil, err
	case line == nil:
		return nil, nil, fmt.Errorf("no request %s in %s: it keeps the last 10 to 20 MB; a request to AWS is found with --stack NAME", id, log.file())
	}
	return line, text, nil
}

// inWords is a line in plain words.
func inWords(l *accesslog.Line) string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-10s %s\n", name, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n             "))
	}
	fmt.Fprintf(&b, "Request %s, %s\n\n", l.RequestID, l.Time.UTC().Format("2006-01-02 15:04:05.000 MST"))
	row("asked", "%s", asked(l))
	if l.KeyID != "" {
		row("key", "%s of organization %s", l.KeyID, orNone(l.Organization))
	}
	row("answered", "%s after %s, %d bytes", answered(l), milliseconds(l.DurationMicros), l.Bytes)
	if what, todo := meaning(l); what != "" {
		row("refused by", "check %d, %s: %s", l.Check, l.RefusedBy, what)
		row("to do", "%s", todo)
	}
	if l.Cause != "" {
		row("cause", "%s", l.Cause)
	}
	if l.Stack != "" {
		row("stack", "%s", strings.TrimSpace(l.Stack))
	}
	uses := l.Uses()
	for _, s := range meter.Stores() {
		if text := used(uses[s]); text != "" {
			row(s.String(), "%s", text)
		}
	}
	if l.Dropped != "" {
		row("dropped", "the %s, read ahead for checks that were not reached", l.Dropped)
	}
	if l.Cold {
		row("cold", "the worker's first request; its start took %s", milliseconds(l.StartMicros))
	}
	row("served by", "%s", servedBy(l))
	return b.String()
}

// asked is what was asked for, as far as a log says.
func asked(l *accesslog.Line) string {
	route := l.Route
	if route == "" {
		route = "(no route)"
	}
	return l.Method + " " + route
}

// answered is the status with the code of an error.
func answered(l *accesslog.Line) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", l.Status, l.Code))
}

func orNone(text string) string {
	if text == "" {
		return "none that is known"
	}
	return text
}

func milliseconds(micros int64) string { return fmt.Sprintf("%.1f ms", float64(micros)/1000) }

// used is what a store was asked for; empty: nothing.
func used(u accesslog.LineUse) string {
	var parts []string
	if u.Calls > 0 {
		parts = append(parts, fmt.Sprintf("%s in %s", count(u.Calls, "round trip"), milliseconds(u.Micros)))
	}
	if u.Open > 0 {
		parts = append(parts, count(u.Open, "call")+" without an answer yet")
	}
	if u.Hits > 0 {
		parts = append(parts, count(u.Hits, "answer")+" from memory")
	}
	if u.ReadUnits > 0 {
		parts = append(parts, count(u.ReadUnits, "read unit"))
	}
	if u.WriteUnits > 0 {
		parts = append(parts, count(u.WriteUnits, "write unit"))
	}
	return strings.Join(parts, ", ")
}

func count[N int | float64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%v %ss", n, what)
}

// servedBy is who answered, with the names that others have for the request.
func servedBy(l *accesslog.Line) string {
	text := "touchline serve"
	if l.Function != "" {
		text = "function " + l.Function
	}
	text += ", stage " + orNone(l.Stage)
	if l.LambdaRequestID != "" {
		text += ", Lambda's request " + l.LambdaRequestID
	}
	if l.GatewayRequestID != "" {
		text += ", the gateway's " + l.GatewayRequestID
	}
	return text
}
