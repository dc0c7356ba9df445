package loader

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/loader/change"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/division"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// How much of a dataset is in memory at once: a first load is computed in parts of
// some records each, and any other compares so many players, or matches, with the
// table at a time and keeps those that change.
const (
	partRecords  = 25_000
	batchRecords = 20_000
)

// view brings a dataset, and the deletions that a full load adds, into the view
// after. It returns what changes, and the deletions.
//
// Of a first load everything changes: what all of it is checked against is brought
// into a world that only the checks see.
func (r *run) view(ctx context.Context, set *dataset.Set, removed *dataset.Part) (*dataset.Part, error) {
	part := &dataset.Part{
		Organizations: slices.Concat(set.Organizations, removed.Organizations),
		Competitions:  slices.Concat(set.Competitions, removed.Competitions),
		Teams:         slices.Concat(set.Teams, removed.Teams),
		Standings:     slices.Concat(set.Standings, removed.Standings),
	}
	if r.empty {
		return part, r.outline(ctx, set, part)
	}
	r.loader.say("reading the table", 0, 0)
	tables := part.Standings
	part.Standings = nil
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
	part.Standings = tables
	return part, r.apply(ctx, &dataset.Part{Standings: tables})
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

// outline brings what the parts of a first load are checked against into the view
// after: the part, and deletions, which delete nothing. It resolves all matches,
// so that everything that is wrong with them is known before the first part.
func (r *run) outline(ctx context.Context, set *dataset.Set, part *dataset.Part) error {
	outlined, deletions := *part, division.Deletions(set)
	outlined.Players, outlined.Matches = deletions.Players, deletions.Matches
	if err := r.uncounted(ctx, &outlined); err != nil {
		return err
	}
	for _, x := range set.Matches.All() {
		if err := r.resolve(x); err != nil {
			return err
		}
	}
	return nil
}

// compute finds what changes of a dataset that was checked: at once, or of a first load
// part by part.
func (r *run) compute(ctx context.Context, set *dataset.Set) error {
	if r.empty {
		return r.computeFirst(ctx, set)
	}
	if err := r.loader.room().enough(r.changing() * changeMemory); err != nil {
		return err
	}
	r.loader.say("finding what changes", 0, 0)
	set.Release()
	return r.computeApplied(ctx, set, nil, func(done, all int) { r.loader.say("computing what changes", done, all) })
}

// changing is how many records change, but for organizations.
func (r *run) changing() int64 {
	w := r.world
	return int64(len(w.Competitions.Changes()) + len(w.Teams.Changes()) + len(w.Players.Changes()) + len(w.Matches.Changes()) + len(w.Tables.Changes()))
}

// computeFirst computes a first load. Organizations come first, since all parts show
// something of them, and with them deletions, which only count.
func (r *run) computeFirst(ctx context.Context, set *dataset.Set) error {
	parts := division.Divide(set, cmp.Or(r.loader.part, partRecords))
	largest := 0
	for i := range parts {
		largest = max(largest, parts[i].Len()+parts[i].Around.Len())
	}
	if err := r.loader.room().enough(int64(largest) * partMemory); err != nil {
		return err
	}
	r.all = set.Len()
	first := division.Deletions(set)
	first.Organizations = set.Organizations
	r.renew()
	if err := r.bring(ctx, set, first, &dataset.Part{}); err != nil {
		return err
	}
	organizations := &r.world.Organizations
	for i := range parts {
		r.renew()
		r.world.Organizations.Surround(organizations)
		if err := r.bring(ctx, set, parts[i].Of(set), parts[i].Around.Of(set)); err != nil {
			return err
		}
	}
	set.Release()
	return nil
}

// bring computes what changes with a part of a first load, and with records around it
// that are computed elsewhere.
func (r *run) bring(ctx context.Context, set *dataset.Set, part, around *dataset.Part) error {
	if err := r.uncounted(ctx, around); err != nil {
		return err
	}
	size := part.Len()
	if err := r.apply(ctx, part); err != nil {
		return err
	}
	return r.computeApplied(ctx, set, around, r.portion(size))
}

// portion reports the progress of a part with so many records of all.
func (r *run) portion(size int) func(passed, of int) {
	before := r.done
	r.done += size
	return func(passed, of int) {
		r.loader.say("computing what changes", before+int(float64(passed)/float64(of)*float64(size)), r.all)
	}
}

// uncounted applies records that are counted and noted elsewhere.
func (r *run) uncounted(ctx context.Context, part *dataset.Part) error {
	of := r.changes
	defer func() { r.changes = of }()
	r.changes = &change.Changes{World: r.world, Report: &commit.Report{}, Exact: of.Exact, Now: of.Now}
	return r.apply(ctx, part)
}

// computeApplied finds what changes of the records that were applied, but for those around them,
// and whether the table can hold it. It keeps what is said of that once the load is over.
func (r *run) computeApplied(ctx context.Context, set *dataset.Set, around *dataset.Part, progress func(done, all int)) error {
	if err := r.findAndProject(ctx, around, progress); err != nil {
		return err
	}
	integrity.Ranges(r.world, set, r.unfit)
	return r.remember(ctx)
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
