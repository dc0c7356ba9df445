// Package backup copies the data of this machine: `touchline backup` and `touchline
// restore`.
//
// A copy is made while serve keeps running; imports have to wait meanwhile, so that the
// copy never has half a load. It is checked before it has its name. Secrets stay sealed:
// a backup is useless without the master key. A restore reads all of a backup before it
// changes anything, and keeps the data that it replaces.
//
// On AWS `touchline restore` restores tables to a second of the past (PointInTime), and
// says how the stage comes to use them.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"touchline/scripts/touchline/apikeys"
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/store"
	"touchline/shared/store/file"
	"touchline/shared/store/records"
)

// Command is `touchline backup`.
type Command struct {
	File string `arg:"" help:"File to write; it must not be there yet."`
	database.Local
	JSON bool `name:"json" help:"Print the file and the number of items as JSON."`
}

// Help is shown below the flags.
func (Command) Help() string {
	return `Copies all data of this machine, also while 'touchline serve' runs, into one file: data, keys, quotas. The copy is checked. The secrets in it stay sealed: keep the master key, too (TOUCHLINE_MASTER_KEY, else master.key in your configuration folder). A DynamoDB, as that of a deployment on AWS, has backups of its own.

Example:

    touchline backup touchline-2026-03-14.db
`
}

// Run copies the data.
func (b *Command) Run(ctx context.Context, c *terminal.Terminal) (err error) {
	flags := database.Flags{Local: b.Local}
	if !flags.OnFile(c.Getenv) {
		return errors.New("the environment names a DynamoDB (AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL), which has backups of its own: to copy the data of this machine give --data-dir")
	}
	d, err := flags.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	free, err := alone(ctx, d)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, free()) }()
	items, err := Save(ctx, c, d, b.File)
	if err == nil && b.JSON {
		return c.JSON(map[string]any{"file": b.File, "items": items})
	}
	return err
}

// Save copies the data to a file, and returns the number of items.
func Save(ctx context.Context, c *terminal.Terminal, d *database.Database, path string) (items int, err error) {
	c.Sayf("copying the data in %s", d.Where)
	switch err = d.File.Backup(ctx, path); {
	case errors.Is(err, fs.ErrExist):
		return 0, fmt.Errorf("%s is there already: name another file", path)
	case err != nil:
		return 0, d.Explain(err)
	}
	copied, err := file.Open(path, file.Options{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer copied.Close() //nolint:errcheck // only read
	report, err := copied.Check(ctx)
	if err != nil {
		return 0, err
	}
	c.Sayf("%s holds %s; its keys work with this machine's master key only", path, terminal.Counted(report.All(), "item"))
	return report.All(), sayForeign(ctx, c, copied.Keys())
}

// sayForeign names the keys that this machine's master key does not open.
func sayForeign(ctx context.Context, c *terminal.Terminal, store keys.Store) error {
	list, err := store.List(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	seal, _, err := apikeys.MasterKey(c)
	if err != nil {
		c.Sayf("warning: there is no master key here to open the keys in it (%v)", err)
		return nil
	}
	foreign, err := apikeys.ForeignKeys(ctx, &keys.Registry{Store: store, Sealer: seal, Now: c.Now}, list)
	if err == nil && len(foreign) > 0 {
		c.Sayf("warning: this machine's master key does not open %s in it: keep the one that does", strings.Join(foreign, ", "))
	}
	return err
}

// alone prevents imports from writing until free is called.
func alone(ctx context.Context, d *database.Database) (free func() error, err error) {
	l := &store.Lease{
		DB: d.Leases(), Table: d.Tables.Sports, Key: records.LockKey(), Holder: uuid.NewString(),
		Label: fmt.Sprintf("touchline backup, process %d", os.Getpid()), Now: time.Now,
	}
	_, err = l.Take(ctx)
	if held, ok := errors.AsType[*store.HeldError](err); ok {
		return nil, fmt.Errorf("an import is running (%s): wait for its end", held.Label)
	}
	if err != nil {
		return nil, d.Explain(err)
	}
	return func() error { return l.Free(context.WithoutCancel(ctx)) }, nil
}
