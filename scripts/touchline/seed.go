package main

import (
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/seed"
)

type seedCommand struct {
	Dir     string    `arg:"" help:"Folder to write to; it must hold no dataset yet."`
	Size    int       `xor:"what" required:"" placeholder:"N" help:"How large: 1 is 9 associations, 220 clubs, 500 teams, 10,000 players, 20 competitions and 2,500 matches; N is N times of each."`
	Demo    bool      `xor:"what" required:"" help:"The small federation that 'touchline serve --demo' shows, as it is at --now."`
	Details int       `default:"10" placeholder:"PERCENT" help:"How many of a hundred finished matches have line-ups, events and statistics (default: ${default})."`
	Now     time.Time `placeholder:"TIME" help:"When the season is looked at, RFC 3339 (default: 2026-03-14T15:00:00Z)."`
	JSON    bool      `name:"json" help:"Print the counts as JSON."`
}

func (seedCommand) Help() string {
	return `The same flags give the same records on every machine: country, clubs and people are invented, chance is seeded by their names.

Examples:

    touchline seed --size 10 ./federation
    touchline import ./federation
`
}

func (s *seedCommand) Run(c *terminal.Terminal) error {
	if s.Size < 0 || s.Size > seed.MaxSize || (s.Size == 0 && !s.Demo) {
		return terminal.Usagef("--size must be from 1 to %d", seed.MaxSize)
	}
	if s.Details < 0 || s.Details > 100 {
		return terminal.Usagef("--details must be from 0 to 100")
	}
	counts, err := seed.Write(s.Dir, seed.Options{Size: s.Size, Demo: s.Demo, Now: s.Now, Details: s.Details})
	if err != nil {
		return err
	}
	if s.JSON {
		return c.JSON(counts)
	}
	c.Printf("%s: %d organizations, %d competitions, %d teams, %d players, %d matches\n",
		s.Dir, counts.Organizations, counts.Competitions, counts.Teams, counts.Players, counts.Matches)
	return nil
}
