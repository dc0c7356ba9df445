package serve

import (
	"context"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/store/generation"
)

// upgrade brings the data of an earlier version to the layout of this one, before they
// are served. Data in a DynamoDB that somebody else runs are left alone: another version
// may serve them.
func (s *Command) upgrade(ctx context.Context, c *terminal.Terminal, d *database.Database, ours bool) error {
	from, err := d.UpgradableFrom(ctx)
	if err != nil || from == 0 || !ours {
		return d.CheckLayout(ctx)
	}
	c.Sayf("the data in %s are of layout %d, this version reads layout %d: they are upgraded, and served then", s.Folder(), from, generation.Layout)
	_, err = d.Upgrade(ctx, c, 0)
	return err
}
