package terminal

// The terminal colours that the commands use.
const (
	Red    = "31"
	Green  = "32"
	Yellow = "33"
)

// Colour is coloured text if standard output is a terminal, unless the variable
// NO_COLOR is set (no-color.org) or the terminal is a dumb one.
func (c *Terminal) Colour(code, text string) string {
	if code == "" || !c.OutTerminal || c.Getenv("NO_COLOR") != "" || c.Getenv("TERM") == "dumb" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
