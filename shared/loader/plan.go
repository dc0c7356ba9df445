package loader

import (
	"context"

	"touchline/shared/loader/change"
	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/world"
)

// base is the part of the federation that a load touches. All steps of the load share it.
type base struct {
	*Loader
	world *world.World
	fetch *world.Fetcher
	empty bool // nothing was ever loaded into the table
}

// newBase is no method of Loader, and neither is plan. Packages that use an exported type
// compile all generic types that its methods and fields lead to once more, and a base
// leads to every list of package diff.
func newBase(l *Loader, empty bool) *base {
	w := world.NewWorld()
	return &base{Loader: l, world: w, fetch: &world.Fetcher{Table: l.Table, World: w, Empty: empty}, empty: empty}
}

// changes is empty; a dataset is applied to it.
func (b *base) changes() *change.Changes {
	return &change.Changes{World: b.world, Report: &history.Report{}, Now: b.now()}
}

// plan takes the steps of a load but the last: it reads a dataset, and puts the writes that
// it needs into a sink. Nothing is written. Report.Entries says how many writes there are.
func plan(ctx context.Context, l *Loader, read source, opts Options, last history.Mark, to *sink) (*planned, error) {
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return nil, err
	}
	b := newBase(l, empty)
	in, err := b.read(ctx, read, opts, last)
	if err != nil {
		return nil, err
	}
	c := b.changes()
	if c.Exact = in.undoes != nil; empty && !opts.DryRun {
		c.Journal = journal.NewArchive()
	}
	part, err := b.applyAll(ctx, c, in.set, opts.Replace)
	if err != nil {
		return nil, err
	}
	e, err := b.check(ctx, in, c, part, opts)
	if err != nil {
		return nil, err
	}
	affected, err := b.find(ctx, in, c, to)
	if err != nil {
		return nil, err
	}
	if err := b.reveal(ctx, in, c, affected, opts); err != nil {
		return nil, err
	}
	c.Report.DryRun, c.Report.Entries = opts.DryRun, to.count
	return b.account(ctx, in, c, e, opts)
}
