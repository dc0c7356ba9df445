package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/history"
	"touchline/shared/loader/lines"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// ErrNoLoad is the error of Undo where no load is kept.
var ErrNoLoad = errors.New("there is no load to undo: none has changed this table since loads are kept")

// ErrNoWayBack is the error of Undo for a load whose way back is not kept.
var ErrNoWayBack = history.ErrNoWayBack

// UndoneError is the error of Undo where the last load was an undo itself: what
// was asked for is done.
type UndoneError = history.UndoneError

// ChangedError refuses to undo a load after which its records were changed by
// other means than a load of this version.
type ChangedError = history.ChangedError

// Undo takes the last load back, or the one of opts.Load. The records that it changed are
// then what they were before, or of them those of opts.Only, and so is everything that
// follows from them. An undo is a load like others: it is kept, and one that is
// interrupted is finished by the next load. It cannot be undone itself. Undo then returns
// *UndoneError, so that it may be repeated. Of the options only DryRun, Diff, Note, Load
// and Only have a meaning.
//
// The error is ErrNoLoad, ErrNoWayBack, *ChangedError, *dataset.Faults where
// records of others refer to what would go, or one of those of Load. The past is
// the load that is taken back.
func (l *Loader) Undo(ctx context.Context, opts Options) (*Report, *Past, error) {
	opts = Options{DryRun: opts.DryRun, Diff: opts.Diff, Note: opts.Note, Load: opts.Load, Only: opts.Only}
	var past *Past
	report, err := l.loadOrTry(ctx, opts, func(l *Loader, mark history.Mark, opts *Options) (_ source, err error) {
		if past, err = l.prepareUndo(ctx, mark, opts); err != nil {
			return nil, err
		}
		return l.former(opts.undoes, opts.Only), nil
	})
	return report, past, err
}

// prepareUndo finds the load to undo.
func (l *Loader) prepareUndo(ctx context.Context, mark history.Mark, opts *Options) (*Past, error) {
	of := history.Range{From: cmp.Or(opts.Load, mark.Number)}
	entries, err := history.Read(ctx, l.Table, mark, of)
	switch {
	case err != nil:
		return nil, err
	case mark.Number == 0:
		return nil, ErrNoLoad
	case opts.Load != 0 && opts.Load != mark.Number:
		if entries, err = history.From(entries, opts.Load); err != nil {
			return nil, err
		}
	case mark.Abandoned:
		return nil, fmt.Errorf("load %d was given up half-way, so that it cannot be undone", mark.Number)
	case len(entries) == 0 || entries[0].Number != mark.Number:
		return nil, ErrNoWayBack
	}
	last := &entries[0]
	past, err := commit.PastOf(last)
	if err == nil && last.Undoes > 0 {
		err = &UndoneError{Number: last.Undoes, By: last.Number}
	}
	opts.undoes = last
	if len(opts.Only) > 0 && opts.Note == "" { // the number alone does not say it in the history
		opts.Note = fmt.Sprintf("part of load %d undone", last.Number)
	}
	return &past, err
}

// former is the dataset of the records as they were before a load, or of some of them.
func (l *Loader) former(e *history.Entry, only []string) source {
	return func(ctx context.Context) (*dataset.Set, *dataset.Faults, error) {
		all, err := e.Steps(ctx, l.Table)
		if err != nil {
			return nil, nil, err
		}
		steps, err := history.Only(all, only, e.Number)
		if err != nil {
			return nil, nil, err
		}
		r := newRun(l, false, new(counter))
		if err := r.fetchSteps(ctx, steps); err != nil {
			return nil, nil, err
		}
		changed := &ChangedError{Number: e.Number}
		folder := commit.NewArchive()
		folder.Begin(files.Players) // of an erasure nothing may be left to go back
		for i := range steps {
			s := &steps[i]
			hash, err := r.hash(s.Record, world.Before)
			if err != nil {
				return nil, nil, err
			}
			if hash != s.Hash {
				changed.Records = append(changed.Records, s.Record)
				continue
			}
			if err := r.undo(s, folder); err != nil {
				return nil, nil, err
			}
		}
		if len(changed.Records) > 0 {
			return nil, nil, changed
		}
		former, err := folder.Files()
		if err != nil {
			return nil, nil, err
		}
		set, err := dataset.Read(ctx, former, dataset.Options{LineLimit: commit.LineLimit})
		if faults, ok := errors.AsType[*dataset.Faults](err); ok {
			return set, faults, nil
		}
		return set, nil, err
	}
}

// undo writes the line that makes a record what it was.
func (r *run) undo(s *history.Step, to *commit.Archive) error {
	var now []byte
	if s.Changed {
		var err error
		if now, err = lines.Of(r.world, s.Record, world.Before); err != nil {
			return err
		}
	}
	line, err := s.Undo(now)
	if err != nil {
		return fmt.Errorf("%s %s: %w", s.Kind, s.ID, err)
	}
	if line == nil {
		line = s.Deletion()
	}
	to.AddLine(s.Kind, line)
	return nil
}

// fetchSteps reads the records that a load changed, of matches that stay also
// their parts.
func (r *run) fetchSteps(ctx context.Context, steps []history.Step) error {
	ids := map[sport.Kind][]sport.ID{}
	var parts []sport.ID
	for _, s := range steps {
		ids[s.Kind] = append(ids[s.Kind], s.ID)
		if s.Kind == sport.KindMatch && s.Changed {
			parts = append(parts, s.ID)
		}
	}
	ids[sport.KindCompetition] = append(ids[sport.KindCompetition], ids[history.KindStandings]...)
	r.fetch.Records(ctx, ids)
	r.fetch.Details(ctx, parts)
	return r.fetch.Err()
}
