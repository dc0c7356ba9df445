package logs

import (
	"fmt"
	"strings"

	"touchline/shared/accesslog"
	"touchline/shared/meter"
)

// InWords is a line in plain words.
func InWords(l *accesslog.Line) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Request %s, %s\n\n", l.RequestID, l.Time.UTC().Format("2006-01-02 15:04:05.000 MST"))
	for _, r := range Rows(l) {
		fmt.Fprintf(&b, "  %-10s %s\n", r.Name, strings.ReplaceAll(r.Text, "\n", "\n             "))
	}
	return b.String()
}

// Row is one thing that a line says, in words.
type Row struct{ Name, Text string }

// Rows are what a line says, in words.
func Rows(l *accesslog.Line) []Row {
	var rows []Row
	row := func(name, format string, args ...any) {
		rows = append(rows, Row{name, fmt.Sprintf(format, args...)})
	}
	row("asked", "%s", Asked(l))
	if l.KeyID != "" {
		row("key", "%s of organization %s", l.KeyID, orNone(l.Organization))
	}
	row("answered", "%s after %s, %d bytes", Answered(l), Milliseconds(l.DurationMicros), l.Bytes)
	if what, todo := Meaning(l); what != "" {
		if l.Check == 0 {
			row("refused", "%s", what)
		} else {
			row("refused by", "check %d, %s: %s", l.Check, l.RefusedBy, what)
		}
		row("to do", "%s", todo)
	}
	if l.Cause != "" {
		row("cause", "%s", l.Cause)
	}
	if l.Stack != "" {
		row("stack", "%s", strings.TrimSpace(l.Stack))
	}
	for _, s := range meter.Stores() {
		if text := used(l.Use(s)); text != "" {
			row(s.String(), "%s", text)
		}
	}
	if l.Cold {
		row("cold", "the worker's first request; its start took %s", Milliseconds(l.StartMicros))
	}
	row("served by", "%s", servedBy(l))
	return rows
}

// Asked is what was asked for, as far as a log says.
func Asked(l *accesslog.Line) string {
	route := l.Route
	if route == "" {
		route = "(no route)"
	}
	return l.Method + " " + route
}

// Answered is the status with the code of an error.
func Answered(l *accesslog.Line) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", l.Status, l.Code))
}

func orNone(text string) string {
	if text == "" {
		return "none that is known"
	}
	return text
}

// Milliseconds writes a duration.
func Milliseconds(micros int64) string { return fmt.Sprintf("%.1f ms", float64(micros)/1000) }

// used is what a store was asked for; empty: nothing.
func used(u *accesslog.LineUse) string {
	var parts []string
	if u.Calls > 0 {
		parts = append(parts, fmt.Sprintf("%s in %s", count(u.Calls, "round trip"), Milliseconds(u.Micros)))
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
