package imports

import (
	"context"
	"errors"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/loader"
	"touchline/shared/loader/export"
)

// ExportCommand is `touchline export`.
type ExportCommand struct {
	Dir  string `arg:"" help:"Folder to write, which must be empty or not there yet; or a file that ends in .zip."`
	Gzip bool   `help:"Compress each file of the folder."`
	JSON bool   `name:"json" help:"Print how many records were written, as JSON."`
	database.Flags
}

// Help is shown below the flags.
func (ExportCommand) Help() string {
	return `Writes the dataset that the database holds, in the format that 'touchline import' reads: loaded into an empty database it makes the same one. Records are called by your own keys where they were loaded by them, else by their ids. It needs no right to write to the table, and reads each record once.

Examples:

    touchline export federation
    touchline export --stack prod federation-2026-03-14.zip
`
}

// Run writes the dataset.
func (e *ExportCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	target, err := export.NewTarget(e.Dir, e.Gzip)
	if err != nil {
		return err
	}
	defer target.Drop()
	d, err := e.Open(ctx, c)
	if err != nil {
		return err
	}
	p := terminal.Steps{Terminal: c}
	report, err := (&export.Exporter{Table: d.Sports(), Create: target.Create, Progress: p.Say}).Write(ctx)
	p.End()
	switch {
	case errors.Is(err, loader.ErrUnfinished):
		return errUnfinished
	case err != nil:
		return d.Explain(err)
	case report.Total() == 0:
		return errors.New("the database holds no records: there is nothing to export")
	}
	if err := target.Keep(); err != nil {
		return err
	}
	if e.JSON {
		return c.JSON(report)
	}
	for _, row := range []struct {
		name string
		n    int
	}{
		{"organizations", report.Organizations}, {"competitions", report.Competitions}, {"teams", report.Teams},
		{"players", report.Players}, {"matches", report.Matches}, {"standings", report.Standings},
	} {
		if row.n > 0 {
			c.Printf("%-14s %7d\n", row.name, row.n)
		}
	}
	c.Printf("wrote %s\n", e.Dir)
	return nil
}
