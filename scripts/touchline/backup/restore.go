package backup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/engine"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/generation"
)

// local puts a backup in the place of the database of serve.
func (r *RestoreCommand) local(ctx context.Context, c *terminal.Terminal) error {
	path := filepath.Join(r.DataDir, database.FileName)
	var after string
	kept, err := engine.Restore(ctx, path, r.File, func(endpoint string, sealed bool) error {
		items, layout, err := r.check(ctx, c, endpoint)
		if err != nil {
			return fmt.Errorf("%s: %w. Nothing was changed", r.File, err)
		}
		after = terminal.Counted(items, "item")
		if !sealed {
			after += "; the file has no checksum, so a changed letter in an item is not noticed"
		}
		if layout != 0 {
			after += fmt.Sprintf("; its data are of layout %d, which serve upgrades to %d when it starts", layout, generation.Layout)
		}
		return nil
	})
	switch {
	case errors.Is(err, engine.ErrDatabaseInUse):
		return fmt.Errorf("touchline serve has the data in %s open: stop it first", r.DataDir)
	case err != nil:
		return err
	}
	c.Sayf("restored to %s: %s", path, after)
	if kept != "" {
		c.Sayf("what was there is kept as %s: `touchline restore %s --data-dir %s` brings it back", kept, kept, r.DataDir)
	}
	if r.JSON {
		return c.JSON(map[string]string{"restored": path, "before": kept})
	}
	return nil
}

// check reads everything in a backup. layout is that of its data if an upgrade has to
// come first, else 0. Data that this version can make nothing of are an error.
func (r *RestoreCommand) check(ctx context.Context, c *terminal.Terminal, endpoint string) (items, layout int, err error) {
	client, err := dynamo.NewClient(ctx, dynamo.Settings{Endpoint: endpoint, Getenv: c.Getenv})
	if err != nil {
		return 0, 0, err
	}
	p := c.Progress("checking", 0)
	items, err = database.ReadAll(ctx, client, true, p.At)
	p.End()
	if err != nil {
		return items, 0, fmt.Errorf("it is damaged: %w", err)
	}
	_, err = generation.Read(ctx, &store.Table{DB: dynamo.DB{Client: client}, Name: stack.LocalTables(c.Getenv).Sports})
	other, ok := errors.AsType[*generation.OtherError](err)
	switch {
	case errors.Is(err, store.ErrNoTable):
		return items, 0, fmt.Errorf("it has no table %s: name that of its data in %s", stack.LocalTables(c.Getenv).Sports, stack.VariableSportsTable)
	case ok && other.Upgradable():
		return items, other.Open, nil
	case ok && other.Empty():
		return items, 0, nil
	}
	return items, 0, err
}
