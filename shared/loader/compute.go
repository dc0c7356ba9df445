package loader

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// batchRecords is how many players, or matches, of a dataset are compared with the table
// at a time. Those that do not change are dropped then.
const batchRecords = 20_000

// view brings a dataset, and the deletions that a full load adds, into the view
// after. It returns what changes, and the deletions: of a first load, of which every
// player and match changes, only the deletions of these.
func (r *run) view(ctx context.Context, set *dataset.Set, removed *dataset.Part) (*dataset.Part, error) {
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
	players, err := r.findAndProject(ctx, func(done, all int) { r.loader.say("computing what changes", done, all) })
	if err != nil {
		return err
	}
	r.exposed = &dataset.Warnings{}
	for _, w := range integrity.Exposed(ctx, r.fetch, set, players) {
		r.exposed.Add(w)
	}
	integrity.Ranges(r.world, set, r.unfit)
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
	integrity.TooLarge(set, r.items.TooLarge, r.unfit)
	integrity.TooLong(set, r.items.TooLong, r.unfit)
	if r.unfit.Count() == 0 {
		return nil
	}
	return r.unfit
}

// account is what is said of a load once it is over.
type account struct {
	changes []history.Change // the first
	all     bool             // these are all, not only commit.KeptChanges
	count   int              // of all
	undo    *history.Undo    // nil: it is not wanted
}

// remember keeps what changes, while the world is there that says it.
func (r *run) remember(ctx context.Context) error {
	var matches []sport.ID // whose line-ups, events and figures the lines need
	for _, of := range r.changes.Noted {
		if of.Kind == sport.KindMatch {
			matches = append(matches, of.ID)
		}
	}
	r.fetch.Details(ctx, matches)
	if err := r.fetch.Err(); err != nil {
		return err
	}
	for _, of := range r.changes.Noted {
		if err := r.note(of); err != nil {
			return err
		}
	}
	return nil
}

// note notes of a record that changes what it loses (D62), its change, and the way back.
func (r *run) note(of history.Record) error {
	a := r.account
	listed := a != nil && (a.all || len(a.changes) < commit.KeptChanges)
	before, err := sources.Line(r.world, of, world.Before)
	var after []byte
	if err == nil && (before != nil || listed) {
		after, err = sources.Line(r.world, of, world.After)
	}
	if err != nil {
		return err
	}
	lost, err := history.Lost(before, after)
	if err != nil {
		return err
	}
	for _, field := range lost {
		r.changes.Report.Lose(files.Holding(of.Kind).String(), field)
	}
	if a == nil {
		return nil
	}
	a.count++
	if listed {
		c, err := r.change(of, before, after)
		if err != nil {
			return err
		}
		a.changes = append(a.changes, c)
	}
	if a.undo == nil || a.undo.TooLarge() || r.erasure.Final(&of) {
		return nil
	}
	left, err := r.digest(of, world.After)
	if err != nil {
		return err
	}
	step, err := history.NewStep(of, before, after, left)
	if err != nil {
		return err
	}
	return a.undo.Add(step)
}
