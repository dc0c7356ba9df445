package loader

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/integrity"
)

// batchRecords is how many players, or matches, of a dataset are compared with the table
// at a time. Those that do not change are dropped then.
const batchRecords = 20_000

// applyAll brings a dataset, and the deletions that a full load adds, into the view
// after. It returns what changes, and the deletions: of a first load, of which every
// player and match changes, only the deletions of these.
func (r *run) applyAll(ctx context.Context, set *dataset.Set, removed *dataset.Part) (*dataset.Part, error) {
	part := &dataset.Part{
		Organizations: slices.Concat(set.Organizations, removed.Organizations),
		Competitions:  slices.Concat(set.Competitions, removed.Competitions),
		Teams:         slices.Concat(set.Teams, removed.Teams),
	}
	r.loader.say("reading the table", 0, 0)
	if err := r.apply(ctx, part); err != nil {
		return nil, err
	}
	size := cmp.Or(r.loader.batch, batchRecords)
	r.forgets = set.Players.Len()+set.Matches.Len() > size
	for players := range batches(&set.Players, removed.Players, size) {
		p := &dataset.Part{Players: players}
		if err := r.apply(ctx, p); err != nil {
			return nil, err
		}
		part.Players = append(part.Players, p.Players...)
	}
	for matches := range batches(&set.Matches, removed.Matches, size) {
		p := &dataset.Part{Matches: matches}
		if err := r.apply(ctx, p); err != nil {
			return nil, err
		}
		part.Matches = append(part.Matches, p.Matches...)
	}
	part.Standings = slices.Concat(set.Standings, removed.Standings)
	return part, r.apply(ctx, &dataset.Part{Standings: part.Standings})
}

// batches yields the records of a set so many at a time, and others with the last.
func batches[T dataset.Entity](records *dataset.Records[T], others []*dataset.Record[T], size int) iter.Seq[[]*dataset.Record[T]] {
	return func(yield func([]*dataset.Record[T]) bool) {
		var some []*dataset.Record[T]
		for _, x := range records.All() {
			if some = append(some, x); len(some) == size {
				if !yield(some) {
					return
				}
				some = nil
			}
		}
		if some = append(some, others...); len(some) > 0 {
			yield(some)
		}
	}
}

// compute finds what changes of a dataset that was checked, and whether the table can
// hold it. It keeps what is said of that once the load is over.
func (r *run) compute(ctx context.Context, set *dataset.Set) error {
	perRecord := int64(changeMemory)
	if r.empty {
		perRecord = firstMemory
	}
	if err := r.loader.room().enough(r.changing() * perRecord); err != nil {
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

// changing is how many records change, but for organizations.
func (r *run) changing() int64 {
	w := r.world
	return int64(len(w.Competitions.Changes()) + len(w.Teams.Changes()) + len(w.Players.Changes()) + len(w.Matches.Changes()) + len(w.Tables.Changes()))
}

// bounds are the faults of what the table cannot hold, nil for none, before anything is
// written.
func (r *run) bounds(set *dataset.Set) *dataset.Faults {
	if integrity.Unfit(set, r.items.TooLarge, r.items.TooLong, r.unfit); r.unfit.Count() == 0 {
		return nil
	}
	return r.unfit
}
