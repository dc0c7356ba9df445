package backup

import (
	"context"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
)

// RestoreCommand is `touchline restore`.
type RestoreCommand struct {
	File    string `arg:"" optional:"" type:"existingfile" help:"File that 'touchline backup' wrote."`
	DataDir string `env:"TOUCHLINE_DATA_DIR" default:".touchline" placeholder:"DIR" help:"Folder of the data to replace (default: ${default})."`
	Yes     bool   `short:"y" help:"Do not ask before loads are lost, or deleted records come back."`
	Unread  bool   `help:"Go on where what is there cannot be read in full: for the rest the backup's is taken."`
	JSON    bool   `name:"json" help:"Print as JSON which files, or tables, are where."`

	Keys      bool `xor:"tables" help:"Take the keys of the backup, too. With --stack: restore the table of the keys."`
	ShowAgain bool `help:"Show whoever was hidden since."`

	database.StackFlags
	Sports bool      `group:"A deployment on AWS" xor:"tables" help:"Restore the table of the data."`
	All    bool      `group:"A deployment on AWS" xor:"tables" help:"Restore both."`
	To     time.Time `group:"A deployment on AWS" placeholder:"TIME" help:"Second to go back to, such as 2027-01-01T00:00:00Z. Without it, tables that were deleted are brought back."`
	DryRun bool      `group:"A deployment on AWS" help:"Say what would be done, and change nothing."`
}

// Help is shown below the flags.
func (RestoreCommand) Help() string {
	return `Puts the sports data of a backup in the place of those of 'touchline serve', which must not be running. Keys, nonces and quotas stay as they are; so does who was erased since, and who was hidden. It lists the loads that are lost and the deleted records that come back, and asks. Where nothing is there yet, all is taken from the backup. All of it is read before anything is changed: each page and each item with its checksum, the layout of its data. What was there is kept as touchline.db.before-1, -2 and so on.

With --stack alone it brings back what was deleted of the tables of a deployment, as they were then and under their names: nothing has to be deployed. AWS keeps that for 35 days. With --to it restores tables that are there to a second of the last 35 days, each into a new table, and ends with the settings and the deployment that have the stage use them. The old tables stay. Killed anywhere, it goes on where the same call is made again.

Examples:

    touchline restore touchline-2026-03-14.db
    touchline restore --yes --keys touchline-2026-03-14.db
    touchline restore --stack prod
    touchline restore --stack prod --keys --to 2026-03-14T02:59:00Z --dry-run
`
}

// Run replaces the database, or tables of a deployment.
func (r *RestoreCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	deployed := r.Sports || r.All || !r.To.IsZero() || r.DryRun || r.Profile != "" || r.Region != ""
	switch {
	case r.Stack == "" && deployed:
		return terminal.Usagef("--sports, --all, --to, --dry-run, --profile and --region are about a deployment: give --stack, too")
	case r.Stack != "" && (r.Yes || r.Unread):
		return terminal.Usagef("--yes and --unread are about a file: with --stack nothing is replaced before the stage is deployed")
	case r.Stack == "" && r.File == "":
		return terminal.Usagef("name the file of the backup, or a deployment with --stack")
	case r.Stack == "":
		return r.local(ctx, c)
	case r.File != "":
		return terminal.Usagef("a file is restored on this machine: leave out either it or --stack")
	case !r.Keys && !r.Sports && !r.All && !r.To.IsZero():
		return terminal.Usagef("say what to restore: --keys, --sports or --all")
	}
	return r.deployed(ctx, c)
}
