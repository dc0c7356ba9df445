package imports

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"touchline/scripts/spreadsheet"
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/loader"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/export"
	"touchline/shared/sport"
)

// ExportCommand is `touchline export`.
type ExportCommand struct {
	Dir         string `arg:"" help:"Folder to write, which must be empty or not there yet; or a file that ends in .zip, or in .xlsx for a workbook."`
	CSV         bool   `name:"csv" xor:"form" help:"Write CSV in place of NDJSON, for spreadsheets."`
	Separator   string `placeholder:"SIGN" help:"With --csv: what separates cells, a comma unless said: semicolon or tab. Excel shows columns where it is that of the country, in Germany a semicolon."`
	XLSX        bool   `name:"xlsx" xor:"form" help:"Write a workbook with a sheet for each kind; a name that ends in .xlsx says it, too."`
	Competition string `placeholder:"KEY" help:"Write this competition alone, by your key or its id: its playoffs, teams, clubs, players and matches."`
	Season      int    `placeholder:"YEAR" help:"With --competition: this season alone."`
	Erasures    bool   `help:"Write erased.ndjson, too: what was erased, so that a database that imports it refuses that as this one does."`
	Next        bool   `help:"With --competition, as CSV or a workbook: write its next season, to fill in: the competition, its entries and the players of the last one, with their visibility."`
	JSON        bool   `name:"json" help:"Print how many records were written, as JSON."`
	database.Flags
}

// Help is shown below the flags.
func (ExportCommand) Help() string {
	return `Writes the dataset that the database holds, in the format that 'touchline import' reads: loaded into an empty database it makes the same one. Records are called by your own keys where they were loaded by them, else by their ids. It needs no right to write to the table, and reads each record once.

What was erased is not part of it: with --erasures a file says so by digests, and the database that imports it refuses the same records. Keys, quotas, loads and undo are never part of it.

With --csv or --xlsx it is for spreadsheets, with kick-offs in the time zone of the competition. What these cannot hold, such as line-ups and events, is left out and said at the end; imported again, they leave it as it is.

Examples:

    touchline export federation
    touchline export --csv --separator semicolon federation-csv
    touchline export --stack prod --erasures federation-2026-03-14.zip
    touchline export --competition liga --season 2026 liga.xlsx
    touchline export --competition liga --next next-season.xlsx
`
}

// exported is the output with --json.
type exported struct {
	*export.Report
	Left []spreadsheet.Left `json:"left,omitempty"` // what the sheets cannot hold
}

// separators are those of CSV, by name or as they are.
var separators = map[string]rune{"": ',', "comma": ',', ",": ',', "semicolon": ';', ";": ';', "tab": '\t'}

// Run writes the dataset.
func (e *ExportCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	isBook := files.IsBook(filepath.Base(e.Dir))
	switch {
	case e.XLSX && !isBook, e.CSV && isBook:
		return terminal.Usagef("a workbook is a file that ends in .xlsx, and CSV a folder or a .zip: name %s so, or leave --csv and --xlsx out", e.Dir)
	case e.Separator != "" && !e.CSV:
		return terminal.Usagef("--separator needs --csv")
	case e.Separator != "" && separators[e.Separator] == 0:
		return terminal.Usagef("--separator %s: want comma, semicolon or tab", e.Separator)
	case e.Next && (e.Competition == "" || !isBook && !e.CSV):
		return terminal.Usagef("--next is of a --competition, and a workbook or --csv")
	case e.Season != 0 && e.Competition == "":
		return terminal.Usagef("--season needs --competition")
	case e.Erasures && (isBook || e.CSV || e.Competition != ""):
		return terminal.Usagef("--erasures is for all of the database in NDJSON: leave --csv, --xlsx and --competition out")
	}
	target, err := export.NewTarget(e.Dir)
	if err != nil {
		return err
	}
	defer target.Drop()
	d, err := e.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	p := c.Steps()
	exporter := &export.Exporter{Table: d.Sports(), Create: target.Create, Progress: p.Say, Season: e.Season, Erasures: e.Erasures}
	if e.Competition != "" {
		exporter.Competition = dataset.ID(sport.KindCompetition, e.Competition)
	}
	out := exported{}
	if isBook || e.CSV {
		out.Report, out.Left, err = spreadsheet.Write(ctx, exporter, isBook, e.Next, separators[e.Separator])
	} else {
		out.Report, err = exporter.Write(ctx)
	}
	p.End()
	switch {
	case errors.Is(err, loader.ErrUnfinished):
		return unfinished(d)
	case errors.Is(err, export.ErrNoCompetition):
		return fmt.Errorf("%w: %s", err, e.Competition)
	case err != nil:
		return d.Explain(err)
	case out.Total() == 0:
		return errors.New("the database holds no records: there is nothing to export")
	}
	if err := target.Keep(); err != nil {
		return err
	}
	if !e.Erasures && e.Competition == "" {
		switch erased, err := erasure.ReadErased(ctx, d.Sports()); {
		case err != nil:
			return d.Explain(err)
		case len(erased) > 0:
			c.Sayf("note: what says that %s erased stays behind: --erasures takes it along, else a database that imports this lets them come back", terminal.Counted(len(erased), "record")+map[bool]string{true: " was", false: " were"}[len(erased) == 1])
		}
	}
	if e.JSON {
		return c.JSON(out)
	}
	e.said(c, &out)
	return nil
}

// said prints what was written, and what was not.
func (e *ExportCommand) said(c *terminal.Terminal, out *exported) {
	report := out.Report
	for _, row := range []struct {
		name string
		n    int
	}{
		{"organizations", report.Organizations}, {"competitions", report.Competitions}, {"teams", report.Teams},
		{"players", report.Players}, {"matches", report.Matches}, {"standings", report.Standings}, {"erased", report.Erasures},
	} {
		if row.n > 0 {
			c.Printf("%-14s %7d\n", row.name, row.n)
		}
	}
	if len(out.Left) > 0 {
		c.Printf("not in the sheets, and left as it is when they are imported:\n")
		for _, l := range out.Left {
			c.Printf("  %s: %s of %d\n", l.Kind, l.Field, l.Records)
		}
	}
	c.Printf("wrote %s\n", e.Dir)
	if e.Next {
		c.Printf("nothing has changed: load it when the season begins, since its players move to it\n")
	}
}
