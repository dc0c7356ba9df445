package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/format"
	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
)

// ErrNoLoad is the error of Undo where no load is kept.
var ErrNoLoad = errors.New("there is no load to undo: none has changed this table since loads are kept")

// Undo takes the last load back, or the one of opts.Load, whole (D72): the records that it
// changed are then what they were before, and so is everything that follows from them. An
// undo is a load like others: it is kept, and one that is interrupted is finished by the
// next load. It cannot be undone itself. Undo then returns *history.UndoneError, so that it may be
// repeated. Of the options only DryRun, Diff, Note, Load, Yes, Version and AllowDeletes have a
// meaning, of which the last is about what leaves its season alone (D83, D88).
//
// The error is ErrNoLoad, history.ErrNoWayBack, *history.ChangedError, *dataset.Faults where
// records of others refer to what would go, or one of those of Load. The past is
// the load that is taken back.
func (l *Loader) Undo(ctx context.Context, opts Options) (*Report, *history.Past, error) {
	opts = Options{DryRun: opts.DryRun, Diff: opts.Diff, Note: opts.Note, Load: opts.Load, AllowDeletes: opts.AllowDeletes, Yes: opts.Yes, Version: opts.Version}
	var past *history.Past
	report, err := l.loadOrTry(ctx, opts, func(ctx context.Context, b *base, last history.Mark) (_ *input, err error) {
		if past, err = b.loadToUndo(ctx, opts.Load, last); err != nil {
			return nil, err
		}
		return former(ctx, b.Loader, past)
	})
	return report, past, err
}

// loadToUndo finds the load to undo, 0: the last. It may be there beside an error.
func (b *base) loadToUndo(ctx context.Context, number int, last history.Mark) (*history.Past, error) {
	switch number = cmp.Or(number, last.Number); {
	case last.Number == 0:
		return nil, ErrNoLoad
	case last.Abandoned && number == last.Number:
		return nil, fmt.Errorf("load %d was given up half-way, so that it cannot be undone", number)
	}
	loads, err := history.Read(ctx, b.Table, last, history.Range{From: number})
	if err != nil {
		return nil, err
	}
	return history.ToUndo(loads, number)
}

// former is the dataset of the records as they were before a load.
func former(ctx context.Context, l *Loader, p *history.Past) (*input, error) {
	steps, err := p.Steps(ctx, l.Table)
	if err != nil {
		return nil, err
	}
	b := newBase(l, false)
	var of []history.Record
	for i := range steps {
		of = append(of, steps[i].Record)
	}
	if err := sources.Fetch(ctx, b.fetch, of); err != nil {
		return nil, err
	}
	folder := journal.NewArchive()
	changed := &history.ChangedError{Number: p.Number}
	slices.SortStableFunc(steps, func(a, b history.Step) int { return cmp.Compare(files.Holding(a.Kind), files.Holding(b.Kind)) })
	for i := range steps {
		s := &steps[i]
		switch same, err := b.undo(s, folder); {
		case err != nil:
			return nil, err
		case !same:
			key, name, _ := sources.Called(b.world, world.Before, s.Record)
			changed.Records = append(changed.Records, history.Change{Record: s.Record, Key: key, Name: name})
		}
	}
	if len(changed.Records) > 0 {
		return nil, changed
	}
	former, err := folder.Files()
	if err != nil {
		return nil, err
	}
	set, err := format.Read(ctx, former, format.Options{LineLimit: journal.LineLimit})
	faults, faulty := errors.AsType[*dataset.Faults](err)
	if err != nil && !faulty {
		return nil, err
	}
	return &input{set: set, faults: faults, undoes: p}, nil
}

// undo writes the line that makes a record what it was. False: it was changed since.
func (b *base) undo(s *history.Step, to *journal.Archive) (same bool, err error) {
	left, err := b.digest(s.Record, world.Before)
	if err != nil || left != s.Left {
		return false, err
	}
	now, err := sources.Line(b.world, s.Record, world.Before)
	if err != nil {
		return false, err
	}
	line, err := s.Line(now)
	to.Add(s.Kind, line)
	return true, err
}
