package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/loader/projection"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

type explainTableCommand struct {
	Competition string `arg:"" help:"The competition: the key that your dataset uses, or its id."`
	Season      int    `help:"The season (default: the current one)." placeholder:"YEAR"`
	JSON        bool   `name:"json" help:"Print the rows as JSON."`
	database.Flags
}

func (explainTableCommand) Help() string {
	return `Prints the table of a competition, and for each row where its points come from (4 won, 1 won after extra time, what was there at the start) and which criterion put it above the next one, with the values of both. A value of head to head is that of the matches among the teams that were level. It reads the database and writes nothing.

Examples:

    touchline explain-table liga
    touchline explain-table --stack prod --season 2024 liga
`
}

// explained is a table as JSON.
type explained struct {
	Competition string         `json:"competition"`
	ID          sport.ID       `json:"id"`
	Season      int            `json:"season"`
	Given       bool           `json:"given"`
	Rows        []explainedRow `json:"rows"`
}

type explainedRow struct {
	Rank           int       `json:"rank"`
	Group          string    `json:"group,omitempty"`
	Team           string    `json:"team"`
	TeamID         sport.ID  `json:"teamId"`
	Hidden         bool      `json:"hidden,omitempty"`
	Played         int       `json:"played"`
	Won            int       `json:"won"`
	Drawn          int       `json:"drawn"`
	Lost           int       `json:"lost"`
	GoalsFor       int       `json:"goalsFor"`
	GoalsAgainst   int       `json:"goalsAgainst"`
	Points         int       `json:"points"`
	StartingPoints int       `json:"startingPoints"`
	Sources        []source  `json:"sources"` // where the points come from, but for startingPoints
	Decided        *decision `json:"decided"` // null: the last row of a group, or a table that was given
}

// source is matches that ended in one way, and their points.
type source struct {
	How     string `json:"how"`
	Matches int    `json:"matches"`
	Points  int    `json:"points"`
}

// decision is why a row is above the next one. Values are numbers, or fractions
// such as 12/5; a decision by name has none.
type decision struct {
	By         string `json:"by"`
	HeadToHead int    `json:"headToHead,omitempty"` // how many teams were level; 0: the whole table decided
	Above      string `json:"above,omitempty"`
	Below      string `json:"below,omitempty"`
}

func (e *explainTableCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	d, err := e.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	id := sport.ID(e.Competition)
	if !sport.IsID(e.Competition) {
		id = sport.IDFor(sport.KindCompetition, e.Competition)
	}
	t, err := projection.Explain(ctx, d.Sports(), id, e.Season)
	if errors.Is(err, projection.ErrNotFound) {
		return e.missing(ctx, d, id)
	}
	if err != nil {
		return d.Explain(err)
	}
	if e.JSON {
		return c.JSON(explainedOf(t))
	}
	return e.print(c, t)
}

// missing says what there is of a competition in the place of what is asked for.
func (e *explainTableCommand) missing(ctx context.Context, d *database.Database, id sport.ID) error {
	years, err := projection.SeasonsOf(ctx, d.Sports(), id)
	switch {
	case err != nil:
		return d.Explain(err)
	case len(years) == 0:
		return fmt.Errorf("the database holds no competition %q: name it by your own key, or by its id", e.Competition)
	}
	return fmt.Errorf("the database holds no season %d of competition %q; it has %s", e.Season, e.Competition, strings.Trim(fmt.Sprint(years), "[]"))
}

func explainedOf(t *projection.Table) explained {
	out := explained{Competition: t.Competition.Name, ID: t.Competition.ID, Season: t.Competition.Season, Given: t.Given, Rows: []explainedRow{}}
	for _, r := range t.Rows {
		row := explainedRow{
			Rank: r.Rank, Group: r.Group, Team: r.Team.Name, TeamID: r.TeamID, Hidden: r.Hidden, Played: r.Played, Won: r.Won, Drawn: r.Drawn, Lost: r.Lost,
			GoalsFor: r.GoalsFor, GoalsAgainst: r.GoalsAgainst, Points: r.Points, StartingPoints: r.StartingPoints,
		}
		row.Sources = make([]source, len(r.Sources))
		for i, s := range r.Sources {
			row.Sources[i] = source(s)
		}
		if by := r.Decision; by.By != "" {
			row.Decided = &decision{By: string(by.By), HeadToHead: by.HeadToHead}
			if by.By != sport.ByName && by.By != sport.ByWithdrawal {
				row.Decided.Above, row.Decided.Below = by.Above.String(), by.Below.String()
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func (e *explainTableCommand) print(c *terminal.Terminal, t *projection.Table) error {
	c.Printf("%s, season %d\n", t.Competition.Name, t.Competition.Season)
	if t.Given {
		c.Printf("The dataset gave this table: its order is not computed.\n")
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	group := ""
	for i, r := range t.Rows {
		if i == 0 || r.Group != group {
			if group = r.Group; group != "" {
				_, _ = fmt.Fprintf(w, "\n%s\n", group)
			}
			_, _ = fmt.Fprintln(w, "RANK\tTEAM\tPLAYED\tWON\tDRAWN\tLOST\tGOALS\tPOINTS\tPOINTS COME FROM\tABOVE THE NEXT BY")
		}
		name := r.Team.Name
		if r.Hidden {
			name += " (hidden)"
		}
		_, _ = fmt.Fprintf(w, "%d\t%s\t%d\t%d\t%d\t%d\t%d:%d\t%d\t%s\t%s\n", r.Rank, name, r.Played, r.Won, r.Drawn, r.Lost, r.GoalsFor, r.GoalsAgainst, r.Points, t.From(&r), reason(r.Decision))
	}
	return w.Flush()
}

// reason explains a decision.
func reason(d standings.Decision) string {
	switch {
	case d.By == "":
		return ""
	case d.By == sport.ByWithdrawal:
		return "the next has withdrawn"
	case d.By == sport.ByName:
		return "name: nothing else separates them"
	case d.HeadToHead > 0:
		return fmt.Sprintf("head to head of %d: %s %s, %s", d.HeadToHead, d.By, d.Above, d.Below)
	}
	return fmt.Sprintf("%s %s, %s", d.By, d.Above, d.Below)
}
