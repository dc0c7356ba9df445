package loader

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/dataset/encode"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// stored gives the line of a stored record, nil if there isn't one: see
// dataset.Lookup. What follows from other fields is left out.
func (l *Loader) stored(ctx context.Context, kind sport.Kind, key string, season int) ([]byte, error) {
	id := dataset.ID(kind, key)
	step := history.Step{Record: history.Record{Kind: kind, ID: id, Season: season}, Changed: true}
	r := newRun(l, false, new(counter))
	if err := r.fetchSteps(ctx, []history.Step{step}); err != nil {
		return nil, err
	}
	w := r.world
	switch kind {
	case sport.KindOrganization:
		return lineAs(key, w.Organizations.At(world.Before, id), (*world.Organization).Given), nil
	case sport.KindCompetition:
		return lineAs(key, w.Competitions.At(world.Before, world.SeasonID{ID: id, Season: season}), (*world.Competition).Given), nil
	case sport.KindTeam:
		return lineAs(key, w.Teams.At(world.Before, id), (*world.Team).Given), nil
	case sport.KindPlayer:
		return lineAs(key, w.Players.At(world.Before, id), (*world.Player).Given), nil
	case sport.KindMatch:
		m := w.Matches.At(world.Before, id)
		if m == nil {
			return nil, nil
		}
		rec, err := m.Given()
		if err != nil {
			return nil, err
		}
		world.LeaveOutWinner(&rec.Value.Base)
		rec.Key = key // of which the ids of events are made
		return encode.Append(nil, rec), nil
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
	return encode.Append(nil, rec)
}
