package loader

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// lookup gives the lines of stored records: see dataset.Lookup. Of an empty table
// nothing is read. An error of the table also goes to failed, since the reader of a
// dataset may return it as one of its own.
func (l *Loader) lookup(failed *error) dataset.Lookup {
	const unknown, some, none = 0, 1, 2
	state := unknown
	return func(ctx context.Context, kind sport.Kind, wanted []dataset.Wanted) ([][]byte, error) {
		if state == unknown {
			empty, err := l.checkLayout(ctx)
			if *failed = err; err != nil {
				return nil, err
			}
			if state = some; empty {
				state = none
			}
		}
		if state == none {
			return make([][]byte, len(wanted)), nil
		}
		lines, err := l.stored(ctx, kind, wanted)
		*failed = err
		return lines, err
	}
}

// stored gives the lines of stored records of a kind, nil for one that is not there.
// What follows from other fields is left out.
func (l *Loader) stored(ctx context.Context, kind sport.Kind, wanted []dataset.Wanted) ([][]byte, error) {
	steps := make([]history.Step, len(wanted))
	for i, x := range wanted {
		steps[i] = history.Step{Record: history.Record{Kind: kind, ID: dataset.ID(kind, x.Key), Season: x.Season}, Changed: true}
	}
	r := newRun(l, false, new(counter))
	if err := r.fetchSteps(ctx, steps); err != nil {
		return nil, err
	}
	lines := make([][]byte, len(wanted))
	for i, x := range wanted {
		var err error
		if lines[i], err = storedLine(r.world, steps[i].Record, x.Key); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// storedLine gives the line of a stored record under the id that a dataset gives.
func storedLine(w *world.World, of history.Record, key string) ([]byte, error) {
	switch of.Kind {
	case sport.KindOrganization:
		return lineAs(key, w.Organizations.At(world.Before, of.ID), (*world.Organization).Given), nil
	case sport.KindCompetition:
		return lineAs(key, w.Competitions.At(world.Before, world.SeasonID{ID: of.ID, Season: of.Season}), (*world.Competition).Given), nil
	case sport.KindTeam:
		return lineAs(key, w.Teams.At(world.Before, of.ID), (*world.Team).Given), nil
	case sport.KindPlayer:
		return lineAs(key, w.Players.At(world.Before, of.ID), (*world.Player).Given), nil
	case sport.KindMatch:
		m := w.Matches.At(world.Before, of.ID)
		if m == nil {
			return nil, nil
		}
		rec, err := m.Given()
		if err != nil {
			return nil, err
		}
		world.LeaveOutWinner(&rec.Value.Base)
		rec.Key = key
		return dataset.Append(nil, rec), nil
	}
	return nil, nil
}

// lineAs gives the line of a record under the id that a dataset gives, nil for
// none.
func lineAs[E any, T dataset.Entity](key string, e *E, given func(*E) *dataset.Record[T]) []byte {
	if e == nil {
		return nil
	}
	rec := given(e)
	rec.Key = key
	return dataset.Append(nil, rec)
}
