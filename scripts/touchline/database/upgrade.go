package database

import (
	"context"
	"errors"
	"fmt"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/loader/upgrade"
	"touchline/shared/store/generation"
)

// Upgrader returns an upgrade of the database that shows its progress.
func (d *Database) Upgrader(p *terminal.Steps, patience time.Duration) *upgrade.Upgrade {
	return &upgrade.Upgrade{Loader: d.Loader(p, patience)}
}

// Upgrade upgrades the data to this version's layout, and says what it has done.
func (d *Database) Upgrade(ctx context.Context, c *terminal.Terminal, patience time.Duration) (*upgrade.Report, error) {
	p := terminal.Steps{Terminal: c}
	report, err := d.Upgrader(&p, patience).Run(ctx)
	p.End()
	if err != nil {
		if !errors.Is(err, upgrade.ErrCurrent) {
			err = fmt.Errorf("the data were not upgraded; the version that loaded them can still serve them: %w", d.Explain(err))
		}
		return nil, err
	}
	c.Sayf("%s of %s are of layout %d now. Those of layout %d are kept: `touchline upgrade --back` goes back to them, `touchline upgrade --drop %d` removes them",
		terminal.Counted(report.Records, "record"), d.Where, report.To, report.From, report.From)
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
