package imports

import (
	"context"
	"errors"
	"fmt"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/loader"
)

// CheckCommand is `touchline check`.
type CheckCommand struct {
	database.Flags
	Mend bool          `help:"Rewrite what differs."`
	Wait time.Duration `default:"15s" help:"How long to wait for an import to end (default: ${default})."`
	JSON bool          `name:"json" help:"Print the differences as JSON."`

	Dataset string `arg:"" optional:"" hidden:""` // where people look for a check of a dataset
}

// Help is shown below the flags.
func (CheckCommand) Help() string {
	return `Tables, statistics, rankings and lists are computed when data is loaded. A check computes them again from the records that the database holds, compares every item and every list, and prints each difference. The exit code is 1 where there are any that are not mended. It reads the whole table, and holds off imports meanwhile.

With --mend all of that is written again, whatever is missing, spoiled or there without a reason. A record that is itself gone, or cannot be read, is named with what refers to it, and only an import brings it back: of that record alone, without --replace. Until then --mend puts a private record without a name in the place of one that others refer to, which hides them with it, and the exit code stays 1.

Examples:

    touchline check
    touchline check --stack prod --mend
`
}

// unfinished says what to do about an import that was interrupted.
func unfinished(d *database.Database) error {
	return fmt.Errorf("an import was interrupted: finish it with another import, or give it up with %s", d.Hint("import --abandon"))
}

// Run compares and, if asked to, repairs.
func (k *CheckCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	if k.Dataset != "" {
		return terminal.Usagef("check looks at the database; `touchline import --dry-run %s` checks a dataset", k.Dataset)
	}
	d, err := k.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	p := c.Steps()
	report, err := d.Loader(p, k.Wait).Check(ctx, k.Mend)
	p.End()
	switch {
	case errors.Is(err, loader.ErrUnfinished):
		return unfinished(d)
	case err != nil:
		return d.Explain(err)
	}
	if k.JSON {
		if err := c.JSON(report); err != nil {
			return err
		}
	} else {
		printFound(c, report)
	}
	if len(report.Differences) > 0 && !report.Mended {
		return fmt.Errorf("%s: mend with --mend", terminal.Counted(len(report.Differences), "difference"))
	}
	if len(report.Lost) > 0 {
		return fmt.Errorf("%s lost: import again what is named above", terminal.Counted(len(report.Lost), "record"))
	}
	return nil
}

func printFound(c *terminal.Terminal, report *loader.CheckReport) {
	for _, l := range report.Lost {
		name := fmt.Sprintf("%s %s", l.Kind, l.ID)
		if l.Season != 0 {
			name += fmt.Sprintf(", season %d", l.Season)
		}
		if l.Table != "" {
			name += ", table " + string(l.Table)
		}
		c.Printf("%s is lost: %s; import it again, and say its visibility: until then it may be private\n", name, l.Why)
	}
	for _, difference := range report.Differences {
		c.Printf("%s %s\n", difference.Place, difference.Problem)
	}
	c.Printf("%s, %s and %s compared: %s%s\n",
		terminal.Counted(report.Records, "record"), terminal.Counted(report.Items, "item"), terminal.Counted(report.Lists, "list"), terminal.Counted(len(report.Differences), "difference"), map[bool]string{true: ", mended"}[report.Mended])
}
