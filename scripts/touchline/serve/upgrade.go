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
	kept, err := unused(fmt.Sprintf("%s.layout-%d", s.databaseFile(), from))
	if err != nil {
		return err
	}
	c.Sayf("the data in %s are of layout %d, this version reads layout %d: they are copied to %s and upgraded, and served then", s.Folder(), from, generation.Layout, kept)
	if err := backup.Save(ctx, c, d, kept); err != nil {
		return err
	}
	_, err = d.Upgrade(ctx, c, 0)
	return err
}

// mostCopies bounds the search for a name.
const mostCopies = 1000

// unused is a name that no file has: the one given, or with a number.
func unused(name string) (string, error) {
	for n := 1; n < mostCopies; n++ {
		path := name
		if n > 1 {
			path = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(path); os.IsNotExist(err) {
			return path, nil
		}
	}
	return "", fmt.Errorf("there are %d copies %s: remove some", mostCopies, name)
}
