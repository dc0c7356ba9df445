package imports

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
)

// The bounds of reports on standard input: bytes of a line, and lines of a load.
const (
	longReport  = 64 << 10
	manyReports = 500
)

// lines loads the reports on standard input as they come.
func (s *ScoreCommand) lines(ctx context.Context, c *terminal.Terminal) error {
	if s.scored != (scored{Match: standardInput}) {
		return terminal.Usagef("with - the score, the minute and the rest are in the lines of standard input")
	}
	if c.In == nil {
		return errors.New("there is no standard input")
	}
	d, err := s.open(ctx, c)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	come := make(chan given, manyReports)
	go read(ctx, c.In, come)
	failed := 0
	for one := range come {
		some := []given{one}
		for len(come) > 0 && len(some) < manyReports { // only this loop takes from it
			some = append(some, <-come)
		}
		failed += s.take(ctx, c, d, some)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%s not loaded", terminal.Counted(failed, "report"))
	}
	return nil
}

// given is a line of standard input.
type given struct {
	line int
	scored
	err error
}

// read reads lines until the end, or until one is too long.
func read(ctx context.Context, from io.Reader, to chan<- given) {
	defer close(to)
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, longReport)
	send := func(g given) bool {
		select {
		case to <- g:
			return true
		case <-ctx.Done():
			return false
		}
	}
	number := 1
	for ; lines.Scan(); number++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		g := given{line: number}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if g.err = d.Decode(&g.scored); g.err == nil && d.More() {
			g.err = errors.New("is more than one report: end each with a line break")
		}
		if !send(g) {
			return
		}
	}
	if err := lines.Err(); err != nil {
		send(given{line: number, err: err})
	}
}

// take loads reports, of each match one at a time and those of others with it, and
// returns how many were not loaded.
func (s *ScoreCommand) take(ctx context.Context, c *terminal.Terminal, d *database.Database, some []given) (failed int) {
	fail := func(g *given, err error) {
		failed++
		c.Sayf("line %d: %v", g.line, err)
	}
	for len(some) > 0 {
		var now, later []given
		for _, g := range some {
			same := func(other given) bool { return other.Match == g.Match }
			switch {
			case g.err != nil:
				fail(&g, g.err)
			case slices.ContainsFunc(now, same):
				later = append(later, g)
			default:
				now = append(now, g)
			}
		}
		if err := s.load(ctx, c, d, reports(now)); err != nil && len(now) == 1 {
			fail(&now[0], err)
		} else if err != nil { // one of them is wrong: the others are loaded by themselves
			for i := range now {
				if err := s.load(ctx, c, d, reports(now[i:i+1])); err != nil {
					fail(&now[i], err)
				}
			}
		}
		some = later
	}
	return failed
}

func reports(some []given) []scored {
	all := make([]scored, len(some))
	for i, g := range some {
		all[i] = g.scored
	}
	return all
}
