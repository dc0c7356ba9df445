package loader

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// lookup gives the lines of stored records: see dataset.Lookup. Of an empty table
// nothing is read. An error of the table also goes to failed, since the reader of a
// dataset may return it as one of its own.
func (l *Loader) lookup(failed *error) dataset.Lookup {
	known, empty := false, false
	return func(ctx context.Context, kind sport.Kind, wanted []dataset.Wanted) ([][]byte, error) {
		if !known {
			var err error
			if empty, err = l.checkLayout(ctx); err != nil {
				*failed = err
				return nil, err
			}
			known = true
		}
		if empty {
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
	of := make([]history.Step, len(wanted))
	for i, x := range wanted {
		of[i].Record = history.Record{Kind: kind, ID: dataset.ID(kind, x.Key), Season: x.Season}
	}
	r := newRun(l, false, new(counter))
	if err := r.fetchSteps(ctx, of); err != nil {
		return nil, err
	}
	found := make([][]byte, len(wanted))
	for i, x := range wanted {
		var err error
		if found[i], err = sources.LineAs(r.world, of[i].Record, world.Before, x.Key); err != nil {
			return nil, err
		}
	}
	return found, nil
}
