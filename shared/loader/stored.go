package loader

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/dataset/relations"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

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
