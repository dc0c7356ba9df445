package logs

import (
	"fmt"
	"strings"

	"touchline/shared/accesslog"
)

// inWords is what a line says to the person who looks for a reason. What the stores took
// and who answered is in the line itself, which follows.
func inWords(l *accesslog.Line, text []byte) string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-10s %s\n", name, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n             "))
	}
	fmt.Fprintf(&b, "Request %s, %s\n\n", l.RequestID, l.Time.UTC().Format("2006-01-02 15:04:05.000 MST"))
	row("asked", "%s", asked(l))
	row("answered", "%s after %s", answered(l), milliseconds(l.DurationMicros))
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
	fmt.Fprintf(&b, "\n%s\n", text)
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

func milliseconds(micros int64) string { return fmt.Sprintf("%.1f ms", float64(micros)/1000) }
