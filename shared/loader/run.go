package loader

import (
	"cmp"
	"context"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/times"
	"touchline/shared/loader/affected"
	"touchline/shared/loader/change"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/projection"
	"touchline/shared/loader/spool"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
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
	unfit    *dataset.Faults   // what is too large for the table, found while projecting
	account  *account          // nil: nobody wants to know what changes
	last     history.Mark      // of the load before
	undoes   *history.Past     // the load that this one takes back; nil: none
	erasure  *erasure.Erasure
	erased   erasure.Erased   // what was erased before, where it was read
	back     []dataset.Target // of that, what is let back
	forgets  bool             // what was read of records that do not change
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
		unfit:   &dataset.Faults{},
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

// read reads a dataset and checks it.
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

// check takes a dataset's records and refuses those that do not fit together
// or with what is stored. read are the faults of reading it, nil for none.
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
	l := &integrity.Checker{World: r.world, Fetch: r.fetch, Faults: &dataset.Faults{}, Resolve: r.resolved, Given: r.called}
	if err := l.Check(ctx, set, part, opts.Replace); err != nil {
		return err
	}
	if r.erasure, err = erasure.Begin(ctx, l, r.changes, set); err != nil {
		return err
	}
	if r.erasure != nil {
		r.changes.Report.Namesakes = r.erasure.Namesakes
	}
	r.erased.Change(r.items, set.Erased, r.back, r.loader.now())
	r.changes.Report.Erased, r.changes.Report.Returned = len(set.Erased), len(r.back)
	odd, err := l.Odd(ctx, set, part, r.loader.now(), r.empty || opts.Replace)
	if err != nil {
		return err
	}
	r.warn(odd...)
	warnings := r.warnings.With(nil)
	r.warnings = nil
	if opts.Strict {
		l.Faults.Merge(warnings.Faults())
		warnings = nil
	}
	if l.Faults.Count() > 0 {
		l.Faults.Warnings = warnings
		return l.Faults
	}
	r.changes.Report.Faults, r.changes.Report.Warnings = faults, warnings
	return integrity.Guard(set, r.changes.Report, l.Leaving, r.undoes == nil && (opts.Replace || opts.AllowDeletes != nil), opts.AllowDeletes)
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

// warn adds warnings; a load that is finished from its journal has none.
func (r *run) warn(warnings ...dataset.Fault) {
	if r.warnings == nil {
		return
	}
	for _, w := range warnings {
		r.warnings.Add(w)
	}
}

// apply turns records into changes. Of the part it drops the players and matches that do
// not change, and those that a first load creates. References are known to hold.
func (r *run) apply(ctx context.Context, part *dataset.Part) error {
	r.fetchStored(ctx, part)
	if err := cmp.Or(r.fetch.Err(), r.loader.room().enough(0)); err != nil {
		return err
	}
	if r.warnings != nil {
		r.warn(integrity.Missing(r.world, part)...)
	}
	c := r.changes
	for _, x := range part.Organizations {
		c.Organization(x)
	}
	for _, x := range part.Competitions {
		c.Competition(x)
	}
	competitions := idsIn(part.Competitions)
	slices.Sort(competitions)
	for _, id := range slices.Compact(competitions) {
		r.world.SetCurrent(id)
	}
	for _, x := range part.Teams {
		if !x.Deleted && x.Value.CompetitionID != "" && x.Value.Season == 0 {
			x.Value.Season = r.world.CurrentSeason(x.Value.CompetitionID)
		}
		c.Team(x)
	}
	players := part.Players[:0]
	for _, x := range part.Players {
		switch changed := c.Player(x); {
		case x.Deleted, changed && !r.empty:
			players = append(players, x)
		case r.forgets && !changed:
			r.world.Players.Forget(x.ID)
		}
	}
	part.Players = players
	matches := part.Matches[:0]
	for _, x := range part.Matches {
		if err := r.resolve(x); err != nil {
			return err
		}
		switch changed := c.Match(x); {
		case x.Deleted, changed && !r.empty:
			matches = append(matches, x)
		case r.forgets && !changed:
			r.world.Matches.Forget(x.ID)
		}
	}
	part.Matches = matches
	for _, x := range part.Standings {
		c.Table(x)
	}
	return nil
}

// resolve fills in what a match takes from its competition, and warns of a
// kick-off that clocks do not show once.
func (r *run) resolve(x *dataset.Record[dataset.Match]) error {
	at := dataset.Fault{File: x.Origin.File, Line: x.Origin.Line, Field: "kickoffLocal"}
	shown, err := r.fill(x)
	if err != nil {
		at.Message = err.Error()
		return &dataset.Faults{List: []dataset.Fault{at}}
	}
	if at.Message = shown.Warning(); at.Message != "" {
		r.warn(at)
	}
	return nil
}

// resolved fills in the same without a word: resolve has reported what is wrong.
func (r *run) resolved(x *dataset.Record[dataset.Match]) { _, _ = r.fill(x) }

func (r *run) fill(x *dataset.Record[dataset.Match]) (shown times.Shown, err error) {
	m := &x.Value
	if x.Deleted {
		return shown, nil
	}
	zone := "UTC"
	if m.Base.CompetitionID != "" {
		if m.Base.Season == 0 {
			m.Base.Season = r.world.CurrentSeason(m.Base.CompetitionID)
		}
		if c := r.world.Competitions.At(world.After, world.SeasonID{ID: m.Base.CompetitionID, Season: m.Base.Season}); c != nil {
			zone = c.Timezone
		}
	}
	if m.KickoffLocal == "" {
		return shown, nil
	}
	kickoff, shown, err := r.zones.Kickoff(m.KickoffLocal, zone)
	if err == nil {
		m.Base.Kickoff, m.KickoffLocal = kickoff, ""
	}
	return shown, err
}

// fetchStored reads the records of the dataset as they are stored, and the
// competitions of its teams and matches.
func (r *run) fetchStored(ctx context.Context, part *dataset.Part) {
	if r.empty {
		return
	}
	competitions := idsIn(part.Competitions)
	for _, t := range part.Standings {
		competitions = append(competitions, t.Value.CompetitionID)
	}
	for _, t := range part.Teams {
		competitions = append(competitions, t.Value.CompetitionID)
	}
	for _, m := range part.Matches {
		competitions = append(competitions, m.Value.Base.CompetitionID)
	}
	slices.Sort(competitions)
	r.fetch.Records(ctx, map[sport.Kind][]sport.ID{
		sport.KindOrganization: idsIn(part.Organizations), sport.KindCompetition: slices.Compact(competitions), sport.KindTeam: idsIn(part.Teams),
		sport.KindPlayer: idsIn(part.Players), sport.KindMatch: idsIn(part.Matches),
	})
}

func idsIn[T dataset.Entity](records []*dataset.Record[T]) []sport.ID {
	ids := make([]sport.ID, 0, len(records))
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	return ids
}

// findAndProject computes what of the records that were applied differs from the table,
// and which records that may show.
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

// counter is the sink of a run that writes nothing.
type counter int

// Put implements diff.Sink.
func (c *counter) Put(spool.Record) error {
	*c++
	return nil
}

// Len is how many records were put.
func (c *counter) Len() int { return int(*c) }
