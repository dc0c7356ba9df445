package loader

import (
	"context"
	"io/fs"
	"maps"
	"slices"

	"touchline/shared/loader/affected"
	"touchline/shared/loader/history"
	"touchline/shared/loader/spool"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Portion makes the loader write in portions of so many changes of lists, and note how
// many writes are made, as it does with large ones of long loads.
func (l *Loader) Portion(changes int) {
	l.portion = changes
	l.Spill()
}

// Spill makes the loader sort its writes in a file, and compare few records at a time, as
// it does with large loads.
func (l *Loader) Spill() { l.inMemory, l.batch = 100, 3 }

// KeepUndo bounds, in bytes, the way back that is kept of a load.
func (l *Loader) KeepUndo(bytes int) { l.undo = bytes }

// Has bounds the memory of the process, and says how much of it is in use.
func (l *Loader) Has(limit int64, live func() int64) {
	l.memory = memory{limit: func() int64 { return limit }, live: live}
}

// Found is what Find finds of a dataset.
type Found struct{ Writes []spool.Record }

// Put implements diff.Sink.
func (f *Found) Put(r spool.Record) error {
	f.Writes = append(f.Writes, r)
	return nil
}

// FindAll is Find with all records affected.
func (l *Loader) FindAll(ctx context.Context, files fs.FS) (*Found, error) {
	return l.find(ctx, files, everything)
}

// Find finds what a dataset changes, and writes nothing.
func (l *Loader) Find(ctx context.Context, files fs.FS) (*Found, error) {
	return l.find(ctx, files, func(context.Context, *base, *affected.Records) error { return nil })
}

func (l *Loader) find(ctx context.Context, files fs.FS, add func(context.Context, *base, *affected.Records) error) (*Found, error) {
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return nil, err
	}
	f := &Found{}
	b, opts := newBase(l, empty), Options{AllowDeletes: new(1000)}
	c := b.changes()
	in, err := b.read(ctx, opened(func(context.Context) (fs.FS, error) { return files, nil }), opts, history.Mark{})
	if err != nil {
		return nil, err
	}
	part, err := b.applyAll(ctx, c, in.set, false)
	if err == nil {
		_, err = b.check(ctx, in, c, part, opts)
	}
	var a *affected.Records
	if err == nil {
		a, err = affected.Find(ctx, b.world, b.fetch)
	}
	if err == nil {
		err = add(ctx, b, a)
	}
	if err != nil {
		return nil, err
	}
	return f, b.projector(f).Project(a)
}

// everything adds all records, stored and changed, and fetches all that there is.
func everything(ctx context.Context, b *base, a *affected.Records) error {
	f, w := b.fetch, b.world
	all := func(to *world.Set[sport.ID], kind sport.Kind, changed []sport.ID) []sport.ID {
		to.Add(f.Everything(ctx, kind)...)
		to.Add(changed...)
		return to.Keys()
	}
	matches := a.Matches
	a.Matches = maps.Clone(matches)
	organizations := all(&a.Organizations, sport.KindOrganization, w.Organizations.Changes())
	competitions := all(&a.Competitions, sport.KindCompetition, world.CompetitionsIn(w.Competitions.Changes()).Keys())
	teams := all(&a.Teams, sport.KindTeam, w.Teams.Changes())
	players := all(&a.Players, sport.KindPlayer, w.Players.Changes())
	all(&a.Matches, sport.KindMatch, w.Matches.Changes())
	f.Records(ctx, map[sport.Kind][]sport.ID{
		sport.KindOrganization: organizations, sport.KindCompetition: competitions,
		sport.KindTeam: teams, sport.KindPlayer: players, sport.KindMatch: a.Matches.Keys(),
	})
	seasons := slices.Collect(f.SeasonsIn(ctx, competitions))
	f.ChildrenOf(ctx, organizations)
	f.StagesOf(ctx, competitions)
	f.EnteredIn(ctx, seasons)
	f.PlayedIn(ctx, seasons)
	f.PlayersIn(ctx, seasons)
	f.ContributionsIn(ctx, seasons)
	f.FixturesOf(ctx, teams)
	f.FriendliesOf(ctx, teams)
	f.PerformancesOf(ctx, players)
	f.Details(ctx, a.Matches.Keys())
	for id := range a.Matches {
		if !matches.Has(id) {
			w.NoteOutcomes(id)
		}
	}
	a.Seasons.Add(seasons...)
	for _, t := range f.EveryTable(ctx) {
		a.GivenTables.Add(world.TableID{SeasonID: world.SeasonID{ID: t.Competition, Season: t.Season}, Table: t.Table})
	}
	return f.Err()
}
