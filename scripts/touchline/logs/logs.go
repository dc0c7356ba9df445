package logs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

// Command is `touchline logs`.
type Command struct {
	Follow       bool   `short:"f" help:"Go on with the requests to come, until Ctrl-C."`
	Refused      bool   `help:"Only requests that were refused, or failed."`
	Key          string `placeholder:"ID" help:"Only requests with this key."`
	Organization string `placeholder:"ID" help:"Only requests of this organization: its id, or your own key for it."`
	Status       string `placeholder:"CODE" help:"Only answers with this status, such as 401, or 5xx."`
	Since        string `placeholder:"TIME" help:"Only requests from this time on: RFC 3339, or how long ago, such as 2h."`
	Until        string `placeholder:"TIME" help:"Only requests before this time, given in the same way."`
	Limit        int    `short:"n" default:"20" placeholder:"N" help:"How many of the requests so far to show (default: ${default}; 0: all)."`
	FileFlags

	only filter
}

// filter is what the flags select.
type filter struct {
	organization string
	status       string // its digits, of which an x is any
	from, to     time.Time
}

// filter reads the flags.
func (l *Command) filter(now time.Time) (f filter, err error) {
	if l.Key != "" && !keys.IsID(l.Key) {
		return f, terminal.Usagef("--key %q is no id of a key: `touchline keys list` shows them", l.Key)
	}
	if l.Organization != "" {
		f.organization = string(dataset.ID(sport.KindOrganization, l.Organization))
	}
	f.status = strings.ToLower(l.Status)
	if f.status != "" && (len(f.status) != 3 || strings.Trim(f.status, "0123456789x") != "") {
		return f, terminal.Usagef("--status %q: want one such as 401, or 5xx", l.Status)
	}
	if f.from, err = moment("--since", l.Since, now); err != nil {
		return f, err
	}
	f.to, err = moment("--until", l.Until, now)
	return f, err
}

// moment reads a time, or how long ago one was; zero for no text.
func moment(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, terminal.Usagef("%s %q: want a time such as 2027-01-01T00:00:00Z, or how long ago, such as 2h", flag, text)
	}
	return at, nil
}

// wants reports whether a line is selected.
func (f filter) wants(line *accesslog.Line) bool {
	status := strconv.Itoa(line.Status)
	for i := range f.status {
		if f.status[i] != 'x' && (i >= len(status) || status[i] != f.status[i]) {
			return false
		}
	}
	return (f.organization == "" || line.Organization == f.organization) &&
		!line.Time.Before(f.from) && (f.to.IsZero() || line.Time.Before(f.to))
}

// Help is shown below the flags.
func (Command) Help() string {
	return `Prints the lines of the log of 'touchline serve' that are selected, JSON as it was written, the newest last. 'touchline why' explains one. The lines of a deployment are in CloudWatch, where the saved queries of its stack select them.

Examples:

    touchline logs --refused
    touchline logs --follow --key tk_…
    touchline logs --since 2h --status 401 --limit 0
`
}

// followEvery is the pause between two reads of the log.
const followEvery = 300 * time.Millisecond

// Run prints the requests.
func (l *Command) Run(ctx context.Context, c *terminal.Terminal) error {
	if l.Limit < 0 {
		return terminal.Usagef("--limit %d: want a number from 0", l.Limit)
	}
	only, err := l.filter(c.Now())
	if err != nil {
		return err
	}
	l.only = only
	tail := Tail{Path: l.File()}
	shown, err := l.before(&tail)
	if errors.Is(err, fs.ErrNotExist) && !l.Follow {
		return l.Missing()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, text := range shown {
		c.Printf("%s\n", text)
	}
	if !l.Follow {
		if l.Key != "" && len(shown) == 0 {
			return fmt.Errorf("no such request with the key %s in %s: `touchline keys list` shows the keys", l.Key, tail.Path)
		}
		return nil
	}
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	return l.follow(ctx, c, &tail, ticker.C)
}

// before returns the last lines wanted of those that are already there; the tail
// continues after them.
func (l *Command) before(tail *Tail) ([][]byte, error) {
	var lines [][]byte
	err := tail.Read(func(text []byte) {
		if !l.wanted(text) {
			return
		}
		lines = append(lines, bytes.Clone(text))
		if l.Limit > 0 && len(lines) > 2*l.Limit {
			lines = append(lines[:0], lines[len(lines)-l.Limit:]...)
		}
	})
	if l.Limit > 0 && len(lines) > l.Limit {
		lines = lines[len(lines)-l.Limit:]
	}
	return lines, err
}

// follow prints what is added, at the times of when, until ctx ends.
func (l *Command) follow(ctx context.Context, c *terminal.Terminal, tail *Tail, when <-chan time.Time) error {
	for {
		select {
		case <-when:
			err := tail.Read(func(text []byte) {
				if l.wanted(text) {
					c.Printf("%s\n", text)
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
	return err == nil && (!l.Refused || line.Status >= 400) && (l.Key == "" || line.KeyID == l.Key) && l.only.wants(&line)
}

// shortLine is a request in one line with what was answered, like this:
//
//	GET /v1/teams/{id} 401 unauthorized: nonce (nonceUsed) 3.2 ms, key tk_…, touchline why 0b5f…
func shortLine(l *accesslog.Line) string {
	text := fmt.Sprintf("%s %s", Asked(l), Answered(l))
	if l.Check != 0 {
		text += fmt.Sprintf(": %s (%s)", l.RefusedBy, l.Why)
	} else if l.Why != "" {
		text += fmt.Sprintf(": %s", l.Why)
	}
	text += " " + Milliseconds(l.DurationMicros)
	if l.KeyID != "" {
		text += ", key " + l.KeyID
	}
	return text + ", touchline why " + l.RequestID
}
