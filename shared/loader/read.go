package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/dataset/relations"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// input is a dataset as it was read, without the records that are left out.
type input struct {
	set    *dataset.Set
	faults *dataset.Faults  // of those left out; nil: none
	undoes *history.Past    // the load that it takes back; nil: none
	erased erasure.Erased   // what was erased before, where that was read
	back   []dataset.Target // of it, what is let back
	told   erasure.Erased   // what the dataset says was erased elsewhere (D92)
	called func(sport.ID) string
}

// source reads a dataset. The faults of the input are those of the records that could not be
// read. Last is the mark of the load before.
type source func(ctx context.Context, b *base, last history.Mark) (*input, error)

// read reads a dataset, and checks what its records refer to.
func (b *base) read(ctx context.Context, read source, opts Options, last history.Mark) (*input, error) {
	if opts.Replace && opts.GoodPart && opts.AllowDeletes == nil {
		return nil, ErrGoodPartDeletes
	}
	in, err := read(ctx, b, last)
	if err != nil {
		return nil, err
	}
	in.called = b.called(in.set)
	if err := b.since(ctx, in.set, opts.File, last); err != nil {
		return nil, err
	}
	b.say("checking references", 0, 0)
	return in, b.refer(ctx, in, opts, last)
}

// called says what the operator calls an id: as a dataset does, or else as its record does.
func (b *base) called(set *dataset.Set) func(sport.ID) string {
	return func(id sport.ID) string {
		if key := set.Given(id); key != string(id) {
			return key
		}
		key, _ := sources.Names(b.world, id)
		return key
	}
}

// since warns of workbooks that other loads have overtaken.
func (b *base) since(ctx context.Context, set *dataset.Set, file string, last history.Mark) error {
	for name, version := range set.Versions {
		loads, err := history.Since(ctx, b.Table, last, version, file)
		if err != nil {
			return err
		}
		if loads != "" {
			set.Warnings.Add(dataset.Fault{File: name, Message: "was exported before " + loads + ": it may take back what changed since"})
		}
	}
	return nil
}

// opened is the dataset in files.
func opened(files fs.FS) source {
	return func(ctx context.Context, b *base, _ history.Mark) (*input, error) {
		reading, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		var unread error // of the table
		set, err := format.Read(reading, files, format.Options{
			Progress: func(file string, line int) {
				if err := b.room().enough(0); err != nil {
					stop(err)
				}
				b.say("reading "+file, line, 0)
			},
			Stored: b.lookup(&unread), Listing: b.listing(&unread), Workbooks: b.Workbooks,
		})
		faults, faulty := errors.AsType[*dataset.Faults](err)
		switch {
		case unread != nil:
			return nil, unread
		case err == nil, faulty:
			return &input{set: set, faults: faults}, nil
		case reading.Err() != nil:
			return nil, context.Cause(reading)
		}
		return nil, &UnreadableError{err}
	}
}

// UnreadableError is the error of a folder that cannot be read, or holds no file
// of a dataset.
type UnreadableError struct{ error }

// Unwrap is the reason.
func (e *UnreadableError) Unwrap() error { return e.error }

// refer checks what a dataset's records refer to. The faults of those that it
// leaves out are the input's; where nothing may be left out they are the error.
func (b *base) refer(ctx context.Context, in *input, opts Options, last history.Mark) error {
	set := in.set
	misfits, err := b.ofOtherSports(ctx, set)
	if err != nil {
		return err
	}
	refused, final, err := b.comeBack(ctx, in, opts, last)
	if err != nil {
		return err
	}
	misfits = append(misfits, refused...)
	if misfits != nil && opts.GoodPart {
		set.Drop(misfits)
	}
	set.StoredTeams, set.StoredKey = b.storedTeams(ctx, set), in.called
	found, err := set.Resolve(ctx, integrity.Stays(b.fetch, set, opts.Replace), opts.GoodPart)
	if err != nil {
		return err
	}
	faults := &dataset.Faults{}
	faults.Merge(in.faults)
	faults.Merge(found)
	if opts.GoodPart {
		final = append(final, b.unhidden(ctx, set)...)
	}
	if !opts.Replace && (opts.AllowDeletes == nil || *opts.AllowDeletes < set.Gone) && (faults.Count() == 0 || opts.GoodPart) {
		for _, f := range set.Left {
			f.Message += fmt.Sprintf("; if all are meant, allow %d deletions (--allow-deletes %[1]d)", set.Gone)
			final = append(final, f)
		}
	}
	for _, f := range slices.Concat(misfits, final) {
		faults.Add(f)
	}
	if in.faults = nil; faults.Count() == 0 {
		return nil
	}
	if !opts.GoodPart || len(final) > 0 || faults.OfFiles() {
		return faults
	}
	in.faults = faults
	return nil
}

// comeBack finds what a dataset brings that was erased, here or as it tells itself: the faults
// of what may not come back, and those that keep the good part from being loaded, too.
func (b *base) comeBack(ctx context.Context, in *input, opts Options, last history.Mark) (refused, final []dataset.Fault, err error) {
	if in.undoes != nil || !last.Erased && len(in.set.Erasures) == 0 {
		return nil, nil, nil
	}
	if last.Erased {
		if in.erased, err = erasure.ReadErased(ctx, b.fetch.Table); err != nil {
			return nil, nil, err
		}
	}
	if in.told, final, err = in.erased.Told(ctx, b.fetch, in.set); err != nil {
		return nil, nil, err
	}
	in.back, refused = in.erased.Back(in.set, opts.AllowErased)
	let, told := in.told.Back(in.set, opts.AllowErased)
	for _, t := range let {
		delete(in.told, t)
	}
	return append(refused, told...), final, nil
}

// unhidden are the faults of records that are left out and would hide one that is stored and
// shown: without them the good part could name whom they hide (D74).
func (b *base) unhidden(ctx context.Context, set *dataset.Set) (faults []dataset.Fault) {
	of := map[sport.Kind][]sport.ID{}
	for t := range set.Hiding {
		of[t.Kind] = append(of[t.Kind], t.ID)
	}
	b.fetch.Records(ctx, of)
	w := b.world
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
func (b *base) ofOtherSports(ctx context.Context, set *dataset.Set) ([]dataset.Fault, error) {
	stored := integrity.Stored(b.world, world.Before)
	if !b.empty {
		competitions, teams := relations.Needs(set)
		b.fetch.Teams(ctx, teams)
		for _, id := range teams {
			if t := stored.Team(id); t != nil && t.CompetitionID != "" {
				competitions = append(competitions, t.CompetitionID)
			}
		}
		b.fetch.Competitions(ctx, competitions)
	}
	return relations.Faults(set, stored), b.fetch.Err()
}

// storedTeams are the teams of the seasons that a set's matches and teams are of, by key or
// else by id, with their names.
func (b *base) storedTeams(ctx context.Context, set *dataset.Set) func() (keys, names []string) {
	return sync.OnceValues(func() (keys, names []string) {
		seasons := world.Set[world.SeasonID]{}
		for _, x := range set.Matches.All() {
			seasons.Add(world.SeasonID{ID: x.Value.Base.CompetitionID, Season: x.Value.Base.Season})
		}
		for _, x := range set.Teams {
			seasons.Add(world.SeasonID{ID: x.Value.CompetitionID, Season: x.Value.Season})
		}
		b.fetch.Competitions(ctx, world.CompetitionsIn(seasons.Keys()).Keys())
		var stored []world.SeasonID
		for id := range seasons {
			if c := b.world.SeasonOf(world.Before, id.ID, id.Season); c != nil {
				stored = append(stored, c.SeasonID())
			}
		}
		b.fetch.EnteredIn(ctx, stored)
		teams := slices.Collect(b.world.Entered.Both(stored...))
		b.fetch.Teams(ctx, teams)
		for _, id := range slices.Sorted(slices.Values(teams)) {
			if t := b.world.Teams.At(world.Before, id); t != nil {
				keys, names = append(keys, cmp.Or(t.Key, string(id))), append(names, t.Name)
			}
		}
		return keys, names
	})
}

// lookup gives the lines of stored records: see format.Lookup. Of an empty table
// nothing is read. An error of the table also goes to failed, since the reader of a
// dataset may return it as one of its own.
func (b *base) lookup(failed *error) format.Lookup {
	return func(ctx context.Context, kind sport.Kind, wanted []format.Wanted) (lines [][]byte, err error) {
		if b.empty {
			return make([][]byte, len(wanted)), nil
		}
		lines, *failed = b.stored(ctx, kind, wanted)
		return lines, *failed
	}
}

// stored gives the lines of stored records of a kind, nil for one that is not there.
// What follows from other fields is left out.
func (b *base) stored(ctx context.Context, kind sport.Kind, wanted []format.Wanted) ([][]byte, error) {
	of := make([]history.Record, len(wanted))
	for i, x := range wanted {
		of[i] = history.Record{Kind: kind, ID: dataset.ID(kind, x.Key), Season: x.Season}
	}
	own := newBase(b.Loader, false) // of which nothing is kept
	if err := sources.Fetch(ctx, own.fetch, of); err != nil {
		return nil, err
	}
	found := make([][]byte, len(wanted))
	for i, x := range wanted {
		var err error
		if found[i], err = (sources.Shape{Key: x.Key}).Line(own.world, of[i], world.Before); err != nil {
			return nil, err
		}
	}
	return found, nil
}
