package main

// The colours of a terminal that the commands use.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

// colour is text in a colour where a person reads standard output, unless the
// variable NO_COLOR is set (no-color.org) or the terminal is a dumb one.
func (c *console) colour(code, text string) string {
	if code == "" || !c.OutTerminal || c.Getenv("NO_COLOR") != "" || c.Getenv("TERM") == "dumb" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// statusColour is that of an HTTP status.
func statusColour(status int) string {
	switch {
	case status >= 500:
		return red
	case status >= 400:
		return yellow
	}
	return green
}
