package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/google/uuid"

	"touchline/scripts/spreadsheet"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/loader"
	"touchline/shared/loader/upgrade"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// Load loads a dataset into the database and shows the progress. confirm, unless it is
// nil, is asked before something is taken away (loader.Loader.Confirm).
func (d *Database) Load(ctx context.Context, c *terminal.Terminal, files fs.FS, patience time.Duration, o loader.Options, confirm func(context.Context, *loader.Report) error) (*loader.Report, error) {
	p := c.Steps()
	defer p.End()
	l := d.Loader(p, patience)
	if confirm != nil {
		l.Confirm = func(ctx context.Context, r *loader.Report) error {
			p.End()
			return confirm(ctx, r)
		}
	}
	return l.Load(ctx, files, o)
}

// Loader returns a loader for the database that shows its progress.
func (d *Database) Loader(p *terminal.Steps, patience time.Duration) *loader.Loader {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	loader.LimitMemory()
	return &loader.Loader{
		Table: d.Sports(),
		Lease: &store.Lease{
			DB: d.Leases(), Table: d.Tables.Sports, Key: records.LockKey(), Holder: uuid.NewString(),
			Label: fmt.Sprintf("touchline on %s, process %d", host, os.Getpid()), Now: time.Now,
		},
		Workbooks: spreadsheet.Workbooks,
		Progress:  p.Say,
		Patience:  patience,
		Now:       p.Terminal.Now,
		Erased:    d.Wipe,
		Temp:      d.temp(p.Terminal),
	}
}

// temp is where a load sorts: beside the data, since the folder for temporary files is
// memory on some systems, unless TMPDIR names one.
func (d *Database) temp(c *terminal.Terminal) string {
	if d.File == nil || c.Getenv("TMPDIR") != "" {
		return os.TempDir()
	}
	return d.Where
}

// Wipe overwrites the free space of the file, which still holds what was removed. A
// DynamoDB does that by itself.
func (d *Database) Wipe(ctx context.Context) error {
	if d.File == nil {
		return nil
	}
	if err := d.File.Wipe(ctx); err != nil {
		return fmt.Errorf("the records are removed, but the free space of the file in %s may still hold what they said (%w): it is overwritten by the same import again, and whenever `touchline serve` starts", d.Where, d.Explain(err))
	}
	return nil
}

// Upgrader returns an upgrade of the database that shows its progress.
func (d *Database) Upgrader(p *terminal.Steps, patience time.Duration) *upgrade.Upgrade {
	return &upgrade.Upgrade{Loader: d.Loader(p, patience)}
}

// Upgrade upgrades the data to this version's layout, and says what it has done.
func (d *Database) Upgrade(ctx context.Context, c *terminal.Terminal, patience time.Duration) (*upgrade.Report, error) {
	p := c.Steps()
	report, err := d.Upgrader(p, patience).Run(ctx)
	p.End()
	if err != nil {
		if !errors.Is(err, upgrade.ErrCurrent) {
			err = fmt.Errorf("the data were not upgraded; the version that loaded them can still serve them: %w", d.Explain(err))
		}
		return nil, err
	}
	c.Sayf("%s of %s are of layout %d now. Those of layout %d are kept: `%s` goes back to them, `%s` removes them", terminal.Counted(report.Records, "record"),
		d.Where, report.To, report.From, d.Hint("upgrade --back"), d.Hint(fmt.Sprint("upgrade --drop ", report.From)))
	return report, nil
}

// UpgradableFrom is the layout that an upgrade would read; 0: there is nothing to do.
func (d *Database) UpgradableFrom(ctx context.Context) (layout int, err error) {
	layout, err = upgrade.From(ctx, d.Sports())
	if errors.Is(err, upgrade.ErrCurrent) || generation.IsEmpty(err) {
		return 0, nil
	}
	return layout, err
}
