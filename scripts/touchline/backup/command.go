package backup

import (
	"context"

	"touchline/scripts/touchline/terminal"
)

// RestoreCommand is `touchline restore`.
type RestoreCommand struct {
	File    string `arg:"" type:"existingfile" help:"File that 'touchline backup' wrote."`
	DataDir string `default:".touchline" placeholder:"DIR" help:"Folder of the data to replace (default: ${default})."`
}

// Help is shown below the flags.
func (RestoreCommand) Help() string {
	return `Puts a backup in the place of the data of 'touchline serve', which must not be running. All of the backup is read before anything is changed: its checksum, each item, the layout of its data. What was there is kept as touchline.db.before-1, -2 and so on.

Example:

    touchline restore touchline-2026-03-14.db
`
}

// Run replaces the database.
func (r *RestoreCommand) Run(ctx context.Context, c *terminal.Terminal) error { return r.local(ctx, c) }
