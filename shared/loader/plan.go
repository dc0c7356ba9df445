package loader

import (
	"cmp"
	"context"

	"touchline/shared/dataset"
	"touchline/shared/loader/change"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/projection"
	"touchline/shared/loader/spool"
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

// changes are none yet; a dataset is applied to them.
func (b *base) changes() *change.Changes {
	return &change.Changes{World: b.world, Report: &history.Report{}, Now: b.now()}
}

// projector puts what differs into a sink.
func (b *base) projector(to diff.Sink) *projection.Projector {
	names := diff.NewCollation()
	return &projection.Projector{World: b.world, Lists: diff.NewLists(names, to), Items: diff.NewItems(to), Names: names}
}

// planned is what a load will do, besides its writes.
type planned struct {
	report  *Report
	first   *journal.Archive // the records of a first load; nil: there was one before
	undoes  *history.Past    // the load that this one takes back; nil: none
	erasure *erasure.Erasure // nil: it erases nothing
	past    *history.Past    // what the history keeps; nil in a dry run
	back    *history.WayBack
}

// plan takes the steps of a load but the last: it reads a dataset, and puts the writes that
// it needs into a sink. Nothing is written. Report.Entries says how many writes there are.
func plan(ctx context.Context, l *Loader, read source, opts Options, last history.Mark, to interface {
	diff.Sink
	Len() int
}) (*planned, error) {
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
	p := b.projector(&boundedSink{Sink: to, room: l.room()})
	in.keepErased(p.Items, c)
	affected, tables, err := b.find(ctx, in.set, p)
	if err != nil {
		return nil, err
	}
	named, err := b.reveal(ctx, in, c, affected)
	if err != nil {
		return nil, err
	}
	a := &account{base: b, called: b.called(in.set), erasure: e}
	if !opts.DryRun && in.undoes == nil {
		a.back = &history.WayBack{Limit: cmp.Or(l.undo, history.LargestUndo)}
	}
	switch {
	case opts.Diff:
		a.most = len(c.Noted)
	case !opts.DryRun:
		a.most = history.KeptChanges
	}
	if err := a.remember(ctx, c); err != nil {
		return nil, err
	}
	unfit := &dataset.Faults{}
	if integrity.Unfit(in.set, p.Items.TooLarge, p.Items.TooLong, unfit); unfit.Count() > 0 {
		return nil, unfit
	}
	if faults := strictly(c.Report, named, opts.Yes); opts.Strict && faults.Count() > 0 {
		return nil, faults
	}
	done := &planned{report: c.Report, first: c.Journal, undoes: in.undoes, erasure: e, back: a.back}
	done.report.SetTables(tables)
	done.report.DryRun, done.report.Entries = opts.DryRun, to.Len()
	if done.report.Warnings = done.report.Warnings.With(named); in.undoes != nil {
		done.report.Warnings = nil // it brings nothing new
	}
	if opts.Diff {
		done.report.Changes = a.changes
	}
	if !opts.DryRun {
		done.past = a.past(in, c, opts)
	}
	return done, nil
}

// counter is the sink of a load that writes nothing.
type counter int

// Put implements diff.Sink.
func (c *counter) Put(spool.Record) error {
	*c++
	return nil
}

// Len is how many records were put.
func (c *counter) Len() int { return int(*c) }
