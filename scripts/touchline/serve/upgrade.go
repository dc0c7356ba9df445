package serve

import (
	"context"
	"fmt"
	"os"

	"touchline/scripts/touchline/backup"
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/store/generation"
)

// upgrade brings the data of an earlier version to the layout of this one, before they
// are served. It keeps a copy of the database first. Data in a DynamoDB that somebody
// else runs are left alone: another version may serve them.
func (s *Command) upgrade(ctx context.Context, c *terminal.Terminal, d *database.Database, ours bool) error {
	from, err := d.UpgradableFrom(ctx)
	if err != nil || from == 0 || !ours || s.NoUpgrade {
		if err := d.CheckLayout(ctx); err != nil && from > 0 && s.NoUpgrade {
			return fmt.Errorf("%w (serve without --no-upgrade does it)", err)
		}
		return d.CheckLayout(ctx)
	}
	begun, err := d.UpgradeBegun(ctx)
	if err != nil {
		return err
	}
	last, next, err := copies(fmt.Sprintf("%s.layout-%d", s.databaseFile(), from))
	if err != nil {
		return err
	}
	if begun && last != "" {
		c.Sayf("an upgrade of the data in %s from layout %d to %d was interrupted: it goes on, and they are served then. %s is the copy of before", s.Folder(), from, generation.Layout, last)
	} else {
		c.Sayf("the data in %s are of layout %d, this version reads layout %d: they are copied to %s and upgraded, and served then", s.Folder(), from, generation.Layout, next)
		if _, err := backup.Save(ctx, c, d, next); err != nil {
			return err
		}
	}
	_, err = d.Upgrade(ctx, c, 0)
	return err
}

// mostCopies bounds the search for a name.
const mostCopies = 1000

// copies are the last of the files of a name, or with a number behind it, and the name of
// the next one.
func copies(name string) (last, next string, err error) {
	for n := 1; n < mostCopies; n++ {
		if next = name; n > 1 {
			next = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(next); os.IsNotExist(err) {
			return last, next, nil
		}
		last = next
	}
	return "", "", fmt.Errorf("there are %d copies %s: remove some", mostCopies, name)
}
