// Package backup copies the data of this machine: `touchline backup` and `touchline
// restore`.
//
// A copy is made while serve keeps running. A backup waits for an import as imports wait
// for it, so that the copy never has half a load. The process that has the data writes
// the copy beside them, and checks it; then the command moves it, since the two may see
// different disks: a service of systemd has its own /tmp, and may write to its own folder
// alone. Secrets stay sealed: a backup is useless without the master key. A restore reads
// all of a backup before it changes anything, and keeps the data that it replaces.
//
// On AWS `touchline restore` brings tables back that were deleted, or restores them to a
// second of the past, and says how the stage comes to use them (Recovery).
package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"touchline/scripts/touchline/apikeys"
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/loader/journal"
	"touchline/shared/store/file"
)

// Command is `touchline backup`.
type Command struct {
	File string        `arg:"" help:"File to write, which must not be there yet, or a folder: the file is named for the second then."`
	Wait time.Duration `default:"10m" help:"How long to wait for an import to end (default: ${default})."`
	database.Local
	JSON bool `name:"json" help:"Print the file and the number of items as JSON."`
}

// Help is shown below the flags.
func (Command) Help() string {
	return `Copies all data of this machine, also while 'touchline serve' runs, into one file: data, keys, quotas. It is made beside the data first, where there is room. The copy is checked. The secrets in it stay sealed: keep the master key, too (TOUCHLINE_MASTER_KEY, else master.key in your configuration folder). A DynamoDB, as that of a deployment on AWS, has backups of its own.

Examples:

    touchline backup touchline-2026-03-14.db
    touchline backup /var/lib/touchline-backup
`
}

// Run copies the data.
func (b *Command) Run(ctx context.Context, c *terminal.Terminal) error {
	flags := database.Flags{Local: b.Local}
	if !flags.OnFile(c.Getenv) {
		return errors.New("the environment names a DynamoDB (AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL), which has backups of its own: to copy the data of this machine give --data-dir")
	}
	d, err := flags.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	p := c.Steps()
	defer p.End()
	l := d.Loader(p, b.Wait)
	l.Lease.Label = fmt.Sprintf("touchline backup, process %d", os.Getpid())
	path, items := b.path(c.Now()), 0
	err = l.Alone(ctx, func(ctx context.Context, _ *journal.Lock) error {
		p.End()
		items, err = Save(ctx, c, d, path)
		return err
	})
	if err == nil && b.JSON {
		return c.JSON(map[string]any{"file": path, "items": items})
	}
	return d.Explain(err)
}

// path is the file to write: in a folder, which is this service's own, one of the time that
// nothing has yet. What runs that were killed have left there goes.
func (b *Command) path(now time.Time) string {
	if info, err := os.Stat(b.File); err != nil || !info.IsDir() {
		return b.File
	}
	left, _ := filepath.Glob(filepath.Join(b.File, "touchline-*.db"+unfinished)) // only a bad pattern fails
	for _, part := range left {
		_ = os.Remove(part)
	}
	name := filepath.Join(b.File, "touchline-"+now.UTC().Format("2006-01-02T150405Z"))
	path := name + ".db"
	for n := 2; isThere(path); n++ {
		path = fmt.Sprintf("%s-%d.db", name, n)
	}
	return path
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Save copies the data to a file, and returns the number of items.
func Save(ctx context.Context, c *terminal.Terminal, d *database.Database, path string) (items int, err error) {
	if isThere(path) {
		return 0, fmt.Errorf("%s is there already: name another file", path)
	}
	c.Sayf("copying the data in %s", d.Where)
	name, report, err := d.File.Backup(ctx)
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EROFS), errors.Is(err, file.ErrReadOnly):
		c.Sayf("note: there is no room for the copy beside the data (%v): it is made where it shall be", err)
		tables := database.FileTables()
		report, err = d.File.CopyOut(ctx, path+unfinished, tables.Sports, tables.Keys, tables.Nonces, tables.Quotas)
		if err == nil {
			err = os.Rename(path+unfinished, path)
		}
	case err == nil:
		err = move(filepath.Join(d.Where, name), path)
	}
	if err != nil {
		return 0, err
	}
	if err := note(d.Where, path, c.Now()); err != nil {
		c.Sayf("note: /health does not know of this backup: %v", err)
	}
	c.Sayf("%s holds %s; its keys work with this machine's master key only", path, terminal.Counted(report.All(), "item"))
	return report.All(), sayForeign(ctx, c, d.Keys())
}

// sayForeign names the keys that this machine's master key does not open.
func sayForeign(ctx context.Context, c *terminal.Terminal, store keys.Store) error {
	list, err := store.List(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	apikeys.SayDamaged(c, list)
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
