package loader

import (
	"cmp"
	"context"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/relations"
	"touchline/shared/dataset/times"
	"touchline/shared/loader/change"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/spool"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// run is one load, from records to writes.
type run struct {
	loader  *Loader
	world   *world.World
	fetch   *world.Fetcher
	items   *diff.Items
	lists   *diff.Lists
	names   *diff.Collation
	changes *change.Changes
	zones   times.Zones
	empty   bool
	given   func(sport.ID) string // what the dataset calls an id
	// warnings are those found so far; nil if nobody wants them.
	warnings *dataset.Warnings
	exposed  *dataset.Warnings // of whom is seen, found once it is known what changes
	account  *account          // nil: nobody wants to know what changes
	last     history.Mark      // of the load before
	undoes   *history.Past     // the load that this one takes back; nil: none
	erasure  *erasure.Erasure
	erased   erasure.Erased   // what was erased before, where it was read
	back     []dataset.Target // of that, what is let back
	tables   []string         // what moves in them
}

// newRun begins a run whose changes go into a sink: a counter where nobody wants
// them.
//
// It is no method of Loader, and neither is plan. Packages that use an exported type
// compile all generic types that its methods and fields lead to once more, and a run
// leads to every list of package diff.
func newRun(l *Loader, empty bool, sink diff.Sink) *run {
	names := diff.NewCollation()
	i := diff.NewItems(sink)
	r := &run{
		loader: l, empty: empty, items: i, names: names,
		lists:   diff.NewLists(names, sink),
		changes: &change.Changes{Report: &history.Report{}, Now: l.now()},
	}
	r.world = world.NewWorld()
	r.fetch = &world.Fetcher{Table: l.Table, World: r.world, Empty: empty}
	r.changes.World = r.world
	return r
}

// plan reads a dataset and finds what it changes; nothing is written. Report.Entries
// says how much.
func plan(ctx context.Context, l *Loader, read source, opts Options, last history.Mark, sink interface {
	diff.Sink
	Len() int
}) (r *run, report *Report, err error) {
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return nil, nil, err
	}
	r = newRun(l, empty, &boundedSink{Sink: sink, room: l.room()})
	r.last = last
	if empty && !opts.DryRun {
		r.changes.Journal = journal.NewArchive()
	}
	set, err := r.read(ctx, read, opts)
	if err != nil {
		return nil, nil, err
	}
	if opts.Diff || !opts.DryRun {
		r.account = &account{all: opts.Diff}
		if !opts.DryRun && r.undoes == nil {
			r.account.back = &history.WayBack{Limit: cmp.Or(l.undo, history.LargestUndo)}
		}
	}
	if err := r.compute(ctx, set); err != nil {
		return nil, nil, err
	}
	if faults := r.bounds(set); faults != nil {
		return nil, nil, faults
	}
	if faults := r.strictly(); opts.Strict && faults.Count() > 0 {
		return nil, nil, faults
	}
	report = r.changes.Report
	report.Warnings = report.Warnings.With(r.exposed)
	report.SetTables(r.tables)
	report.DryRun, report.Entries = opts.DryRun, sink.Len()
	if r.undoes != nil {
		report.Warnings = nil // it brings nothing new
	}
	if opts.Diff {
		report.Changes = r.account.changes
	}
	return r, report, nil
}

func (r *run) read(ctx context.Context, read source, opts Options) (*dataset.Set, error) {
	if opts.Replace && opts.GoodPart && opts.AllowDeletes == nil {
		return nil, ErrGoodPartDeletes
	}
	set, faults, err := read(ctx, r)
	if err != nil {
		return nil, err
	}
	r.given = set.Given
	r.changes.Exact = r.undoes != nil
	if err := r.since(ctx, set, opts.File); err != nil {
		return nil, err
	}
	return set, r.check(ctx, set, faults, opts)
}

// check brings a dataset's records into the view after, and refuses those that do not fit
// together or with what is stored. read are the faults of reading it, nil for none.
func (r *run) check(ctx context.Context, set *dataset.Set, read *dataset.Faults, opts Options) error {
	r.warnings = set.Warnings
	faults, err := r.refer(ctx, set, read, opts)
	if err != nil {
		return err
	}
	removed := &dataset.Part{}
	if opts.Replace && !r.empty {
		r.loader.say("finding what to remove", 0, 0)
		if removed, err = integrity.Rest(ctx, r.fetch, set); err != nil {
			return err
		}
	}
	part, err := r.applyAll(ctx, set, removed)
	if err != nil {
		return err
	}
	c := &integrity.Checker{World: r.world, Fetch: r.fetch, Faults: &dataset.Faults{}, Resolve: r.resolved, Given: r.called}
	if err := c.Check(ctx, set, part, opts.Replace); err != nil {
		return err
	}
	if r.erasure, err = erasure.Begin(ctx, c, r.changes, set); err != nil {
		return err
	}
	if r.erasure != nil {
		r.changes.Report.Namesakes = r.erasure.Namesakes
	}
	r.erased.Change(r.items, set.Erased, r.back, r.loader.now())
	r.changes.Report.Erased, r.changes.Report.Returned = len(set.Erased), len(r.back)
	odd, err := c.Odd(ctx, set, part, r.loader.now(), r.empty || opts.Replace)
	if err != nil {
		return err
	}
	r.warn(odd...)
	warnings := r.warnings.With(nil)
	r.warnings = nil
	if opts.Strict {
		c.Faults.Merge(warnings.Faults())
		warnings = nil
	}
	if c.Faults.Count() > 0 {
		c.Faults.Warnings = warnings
		return c.Faults
	}
	r.changes.Report.Faults, r.changes.Report.Warnings, r.changes.Report.Moved = faults, warnings, c.Moved
	return integrity.Guard(set, r.changes.Report, c.Leaving, r.undoes == nil && (opts.Replace || opts.AllowDeletes != nil), opts.AllowDeletes)
}

// refer checks what a dataset's records refer to. It returns the faults of those that it
// leaves out; where nothing may be left out they are the error.
func (r *run) refer(ctx context.Context, set *dataset.Set, faults *dataset.Faults, opts Options) (*dataset.Faults, error) {
	r.loader.say("checking references", 0, 0)
	misfits, err := r.ofOtherSports(ctx, set)
	if err != nil {
		return nil, err
	}
	if r.last.Erased && r.undoes == nil {
		if r.erased, err = erasure.ReadErased(ctx, r.fetch.Table); err != nil {
			return nil, err
		}
		var refused []dataset.Fault
		r.back, refused = r.erased.Back(set, opts.AllowErased)
		misfits = append(misfits, refused...)
	}
	if misfits != nil && opts.GoodPart {
		set.Drop(misfits)
	}
	set.StoredTeams, set.StoredKey = r.storedTeams(ctx, set), r.called
	found, err := set.Resolve(ctx, integrity.Stays(r.fetch, set, opts.Replace), opts.GoodPart)
	if err != nil {
		return nil, err
	}
	if faults == nil {
		faults = &dataset.Faults{}
	}
	faults.Merge(found)
	for _, f := range misfits {
		faults.Add(f)
	}
	var hiding []dataset.Fault
	if opts.GoodPart {
		hiding = r.unhidden(ctx, set)
	}
	for _, f := range hiding {
		faults.Add(f)
	}
	switch {
	case faults.Count() == 0:
		return nil, nil //nolint:nilnil // nothing is left out
	case !opts.GoodPart || len(hiding) > 0 || faults.OfFiles():
		return nil, faults
	}
	return faults, nil
}

// unhidden are the faults of records that are left out and would hide one that is stored and
// shown: without them the good part could name whom they hide (D74).
func (r *run) unhidden(ctx context.Context, set *dataset.Set) (faults []dataset.Fault) {
	of := map[sport.Kind][]sport.ID{}
	for t := range set.Hiding {
		of[t.Kind] = append(of[t.Kind], t.ID)
	}
	r.fetch.Records(ctx, of)
	w := r.world
	for t, at := range set.Hiding {
		o, team := w.Organizations.At(world.Before, t.ID), w.Teams.At(world.Before, t.ID)
		shows := o != nil && o.Visibility == sport.Public || team != nil && team.Visibility == sport.Public
		for c := range w.SeasonsOf(world.Before, t.ID) {
			shows = shows || (t.Season == 0 || t.Season == c.Season) && c.Visibility == sport.Public && !c.Rules.HidePlayers
		}
		if shows {
			faults = append(faults, dataset.Fault{File: at.File, Line: at.Line, Message: "hides what is shown, so that the rest is not loaded without it"})
		}
	}
	return faults
}

// ofOtherSports are the records of a set that have what the sport of their competition
// does not (D61).
func (r *run) ofOtherSports(ctx context.Context, set *dataset.Set) ([]dataset.Fault, error) {
	stored := integrity.Stored(r.world, world.Before)
	if !r.empty {
		competitions, teams := relations.Needs(set)
		r.fetch.Teams(ctx, teams)
		for _, id := range teams {
			if t := stored.Team(id); t != nil && t.CompetitionID != "" {
				competitions = append(competitions, t.CompetitionID)
			}
		}
		r.fetch.Competitions(ctx, competitions)
	}
	return relations.Faults(set, stored), r.fetch.Err()
}

// storedTeams are the teams of the seasons that a set's matches and teams are of, by key or
// else by id, with their names.
func (r *run) storedTeams(ctx context.Context, set *dataset.Set) func() (keys, names []string) {
	return func() (keys, names []string) {
		seasons := world.Set[world.SeasonID]{}
		for _, x := range set.Matches.All() {
			seasons.Add(world.SeasonID{ID: x.Value.Base.CompetitionID, Season: x.Value.Base.Season})
		}
		for _, x := range set.Teams {
			seasons.Add(world.SeasonID{ID: x.Value.CompetitionID, Season: x.Value.Season})
		}
		r.fetch.Competitions(ctx, world.CompetitionsIn(seasons.Keys()).Keys())
		var stored []world.SeasonID
		for id := range seasons {
			if c := r.world.SeasonOf(world.Before, id.ID, id.Season); c != nil {
				stored = append(stored, c.SeasonID())
			}
		}
		r.fetch.EnteredIn(ctx, stored)
		teams := slices.Collect(r.world.Entered.Both(stored...))
		r.fetch.Teams(ctx, teams)
		for _, id := range slices.Sorted(slices.Values(teams)) {
			if t := r.world.Teams.At(world.Before, id); t != nil {
				keys, names = append(keys, cmp.Or(t.Key, string(id))), append(names, t.Name)
			}
		}
		return keys, names
	}
}

// lookup gives the lines of stored records: see dataset.Lookup. Of an empty table
// nothing is read. An error of the table also goes to failed, since the reader of a
// dataset may return it as one of its own.
func (l *Loader) lookup(empty bool, failed *error) dataset.Lookup {
	return func(ctx context.Context, kind sport.Kind, wanted []dataset.Wanted) (lines [][]byte, err error) {
		if empty {
			return make([][]byte, len(wanted)), nil
		}
		lines, *failed = l.stored(ctx, kind, wanted)
		return lines, *failed
	}
}

// stored gives the lines of stored records of a kind, nil for one that is not there.
// What follows from other fields is left out.
func (l *Loader) stored(ctx context.Context, kind sport.Kind, wanted []dataset.Wanted) ([][]byte, error) {
	of := make([]history.Record, len(wanted))
	for i, x := range wanted {
		of[i] = history.Record{Kind: kind, ID: dataset.ID(kind, x.Key), Season: x.Season}
	}
	r := newRun(l, false, new(counter))
	if err := sources.Fetch(ctx, r.fetch, of); err != nil {
		return nil, err
	}
	found := make([][]byte, len(wanted))
	for i, x := range wanted {
		var err error
		if found[i], err = (sources.Shape{Key: x.Key}).Line(r.world, of[i], world.Before); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// warn adds warnings; a load that is finished from its journal has none.
func (r *run) warn(warnings ...dataset.Fault) {
	if r.warnings == nil {
		return
	}
	for _, w := range warnings {
		r.warnings.Add(w)
	}
}

// counter is the sink of a run that writes nothing.
type counter int

// Put implements diff.Sink.
func (c *counter) Put(spool.Record) error {
	*c++
	return nil
}

// Len is how many records were put.
func (c *counter) Len() int { return int(*c) }
