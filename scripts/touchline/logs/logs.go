package logs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"touchline/scripts/requests"
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
)

// Command is `touchline logs`.
type Command struct {
	Follow  bool   `short:"f" help:"Go on with the requests to come, until Ctrl-C."`
	Refused bool   `help:"Only requests that were refused, or failed."`
	Key     string `placeholder:"ID" help:"Only requests with this key."`
	Limit   int    `short:"n" default:"20" placeholder:"N" help:"How many of the requests so far to show (default: ${default}; 0: all)."`
	JSON    bool   `name:"json" help:"Print the lines of the log as they are."`
	FileFlags
}

// Help is shown below the flags.
func (Command) Help() string {
	return `Shows the requests in the log of 'touchline serve', the newest last; of a deployment, CloudWatch has them. 'touchline why' explains one.

Examples:

    touchline logs --refused
    touchline logs --follow --key tk_…
`
}

// followEvery is the pause between two reads of the log.
const followEvery = 300 * time.Millisecond

// Run prints the requests.
func (l *Command) Run(ctx context.Context, c *terminal.Terminal) error {
	if l.Limit < 0 {
		return terminal.Usagef("--limit %d: want a number from 0", l.Limit)
	}
	log := l.OrThoseOfServe(ctx, database.Flags{}.Found(ctx, c))
	tail := requests.Tail{Path: log.File()}
	shown, err := l.before(&tail)
	if errors.Is(err, fs.ErrNotExist) && !l.Follow {
		return log.Missing()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, text := range shown {
		l.print(c, text)
	}
	if !l.Follow {
		return nil
	}
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	return l.follow(ctx, c, &tail, ticker.C)
}

// before returns the last lines that are already there; the tail continues after
// them.
func (l *Command) before(tail *requests.Tail) ([][]byte, error) {
	var lines [][]byte
	keep := func(text []byte) {
		if l.wanted(text) {
			lines = append(lines, bytes.Clone(text))
		}
		if l.Limit > 0 && len(lines) > 2*l.Limit {
			lines = append(lines[:0], lines[len(lines)-l.Limit:]...)
		}
	}
	_, former := requests.ReadFile(tail.Path+requests.Former, func(text []byte) bool { keep(bytes.TrimSpace(text)); return false })
	err := tail.Read(keep)
	if errors.Is(err, fs.ErrNotExist) && former == nil {
		err = nil // the file was moved just now
	}
	if l.Limit > 0 && len(lines) > l.Limit {
		lines = lines[len(lines)-l.Limit:]
	}
	return lines, err
}

// follow prints what is added, at each tick, until ctx ends.
func (l *Command) follow(ctx context.Context, c *terminal.Terminal, tail *requests.Tail, tick <-chan time.Time) error {
	for {
		select {
		case <-tick:
			err := tail.Read(func(text []byte) {
				if l.wanted(text) {
					l.print(c, text)
				}
			})
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

func (l *Command) wanted(text []byte) bool {
	line, err := accesslog.Parse(text)
	return err == nil && (!l.Refused || line.Status >= 400) && (l.Key == "" || line.KeyID == l.Key)
}

func (l *Command) print(c *terminal.Terminal, text []byte) {
	if l.JSON {
		c.Printf("%s\n", text)
		return
	}
	line, _ := accesslog.Parse(text) // wanted has
	c.Printf("%s %s\n", line.Time.Local().Format(time.DateTime), shortLine(c, &line))
}

// shortLine is a request in one line, like this:
//
//	GET /v1/teams/{id} 401 unauthorized: nonce (nonceUsed) 3.2 ms, key tk_…, touchline why 0b5f…
func shortLine(c *terminal.Terminal, l *accesslog.Line) string {
	text := fmt.Sprintf("%s %s", requests.Asked(l), c.Colour(terminal.StatusColour(l.Status), requests.Answered(l)))
	if l.Check != 0 {
		text += fmt.Sprintf(": %s (%s)", l.RefusedBy, l.Why)
	}
	text += " " + requests.Milliseconds(l.DurationMicros)
	if l.KeyID != "" {
		text += ", key " + l.KeyID
	}
	return text + ", touchline why " + l.RequestID
}
