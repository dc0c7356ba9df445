package loader

import (
	"context"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/affected"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/projection"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// compute finds what a dataset that was checked changes in the table. It notes for the report
// and the history what becomes of each record, and who is shown.
func (r *run) compute(ctx context.Context, set *dataset.Set) error {
	perRecord := int64(changeMemory)
	if r.empty {
		perRecord = firstMemory
	}
	if err := r.loader.room().enough(r.countChanges() * perRecord); err != nil {
		return err
	}
	r.loader.say("finding what changes", 0, 0)
	set.Release()
	a, err := r.findAndProject(ctx, func(done, all int) { r.loader.say("computing what changes", done, all) })
	if err != nil {
		return err
	}
	r.exposed = &dataset.Warnings{}
	players := a.Players.Keys()
	for _, w := range slices.Concat(integrity.Exposed(r.world, set, players), integrity.Namesakes(ctx, r.fetch, set, players, r.called)) {
		r.exposed.Add(w)
	}
	if err := r.fetch.Err(); err != nil {
		return err
	}
	r.changes.Report.Shown = r.shown(a)
	return r.remember(ctx)
}

// countChanges is how many records change, but for organizations.
func (r *run) countChanges() int64 {
	w := r.world
	return int64(len(w.Competitions.Changes()) + len(w.Teams.Changes()) + len(w.Players.Changes()) + len(w.Matches.Changes()) + len(w.Tables.Changes()))
}

// findAndProject finds the records that may show something of what was applied, and computes
// what of them differs from the table.
func (r *run) findAndProject(ctx context.Context, progress func(done, all int)) (*affected.Records, error) {
	a, err := affected.Find(ctx, r.world, r.fetch)
	if err != nil {
		return nil, err
	}
	return a, r.project(a, progress)
}

// project projects records in both views, and compares the views.
func (r *run) project(a *affected.Records, progress func(done, all int)) error {
	p := &projection.Projector{World: r.world, Lists: r.lists, Items: r.items, Names: r.names, Progress: progress}
	p.Tabled = func(of *world.Competition, was, is []records.TableRow) {
		if of.Format == sport.FormatKnockout || of.Rules.NoTable {
			return // its table shows nobody who goes on
		}
		r.tables = append(r.tables, history.Moved(records.CompetitionRefOf(&of.Competition), was, is)...)
	}
	return p.Project(a)
}

// bounds are the faults of what the table cannot hold, nil for none, before anything is
// written.
func (r *run) bounds(set *dataset.Set) *dataset.Faults {
	unfit := &dataset.Faults{}
	if integrity.Unfit(set, r.items.TooLarge, r.items.TooLong, unfit); unfit.Count() == 0 {
		return nil
	}
	return unfit
}
