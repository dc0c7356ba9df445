package imports

import (
	"context"
	"errors"
	"fmt"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/loader/upgrade"
	"touchline/shared/store/generation"
)

// UpgradeCommand is `touchline upgrade`.
type UpgradeCommand struct {
	List bool          `xor:"what" help:"List the layouts that the table has data of."`
	Back bool          `xor:"what" help:"Have loads go to the data before the upgrade again."`
	Drop int           `xor:"what" placeholder:"LAYOUT" help:"Remove the data of a layout that is not in use any more."`
	Wait time.Duration `default:"1m" placeholder:"DURATION" help:"How long to wait for an import that is running (default: ${default})."`
	JSON bool          `name:"json" help:"Print what was done as JSON."`
	database.Flags
}

// Help is shown below the flags.
func (UpgradeCommand) Help() string {
	return `Makes data of this version's layout from those of an earlier version, beside them in the same table. The earlier version goes on serving meanwhile; imports wait. At the end they go to the new data only: start, or deploy, this version then. If the upgrade is interrupted, run it again: it goes on. It writes as much as a first import.

The former data stay. --back returns to them, and lists the imports that they do not have, to be made again there; a later upgrade makes the new data again. --drop removes the data of a layout for good.

Examples:

    touchline upgrade --stack prod
    touchline upgrade --stack prod --list
    touchline upgrade --stack prod --drop 1
`
}

// Run upgrades, goes back, removes or lists.
func (u *UpgradeCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	d, err := u.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	p := c.Steps()
	defer p.End()
	switch {
	case u.List:
		return u.list(ctx, c, d)
	case u.Back:
		return u.back(ctx, c, d.Upgrader(p, u.Wait))
	case u.Drop != 0:
		items, err := d.Upgrader(p, u.Wait).Drop(ctx, u.Drop)
		p.End()
		if err == nil {
			err = d.Wipe(ctx)
		}
		if err != nil {
			return d.Explain(err)
		}
		if u.JSON {
			return c.JSON(map[string]int{"layout": u.Drop, "items": items})
		}
		c.Printf("removed the data of layout %d: %s\n", u.Drop, terminal.Counted(items, "item"))
		return nil
	}
	report, err := d.Upgrade(ctx, c, u.Wait)
	if errors.Is(err, upgrade.ErrCurrent) {
		c.Sayf("%v", err)
		return nil
	}
	if err == nil && u.JSON {
		return c.JSON(report)
	}
	return err
}

func (u *UpgradeCommand) list(ctx context.Context, c *terminal.Terminal, d *database.Database) error {
	all, err := generation.List(ctx, d.Sports())
	if err != nil {
		return d.Explain(err)
	}
	if u.JSON {
		return c.JSON(all)
	}
	for _, g := range all {
		state := "kept"
		switch {
		case g.Open:
			state = "in use"
		case g.Partial:
			state = fmt.Sprintf("not whole: an upgrade makes it, or --drop %d removes it", g.Layout)
		}
		switch {
		case g.Unreleased:
			state += ", of a version from before layout 1 was settled, which alone reads them"
		case g.Layout == generation.Layout:
			state += ", of this version"
		}
		c.Printf("layout %d  version %d  %s\n", g.Layout, g.Version, state)
	}
	return nil
}

func (u *UpgradeCommand) back(ctx context.Context, c *terminal.Terminal, by *upgrade.Upgrade) error {
	to, since, loads, err := by.Back(ctx)
	if err != nil {
		return err
	}
	if u.JSON {
		return c.JSON(map[string]any{"layout": to, "loads": since, "count": loads})
	}
	c.Printf("loads go to the data of layout %d again: start, or deploy, the version that reads them\n", to)
	if loads > 0 {
		c.Printf("they do not have what %s since the upgrade brought; load it again:\n", terminal.Counted(loads, "import"))
	}
	for _, p := range since {
		c.Printf("%s\n", terminal.Plain(summary(p)))
	}
	return nil
}
