// Package lines gives records of a view as a dataset has them: their lines, and what
// the operator calls them.
package lines

import (
	"cmp"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Of is a record in a view as a line of a dataset, nil where it is not there.
func Of(w *world.World, of history.Record, v world.View) ([]byte, error) { return As(w, of, v, "") }

// As is Of under the id that a dataset gives, for a record that the dataset completes:
// without a winner that follows from the score.
func As(w *world.World, of history.Record, v world.View, key string) ([]byte, error) {
	season := world.SeasonID{ID: of.ID, Season: of.Season}
	switch of.Kind {
	case sport.KindOrganization:
		return line(key, w.Organizations.At(v, of.ID), (*world.Organization).Given), nil
	case sport.KindCompetition:
		return line(key, w.Competitions.At(v, season), (*world.Competition).Given), nil
	case sport.KindTeam:
		return line(key, w.Teams.At(v, of.ID), (*world.Team).Given), nil
	case sport.KindPlayer:
		return line(key, w.Players.At(v, of.ID), (*world.Player).Given), nil
	case sport.KindMatch:
		m := w.Matches.At(v, of.ID)
		if m == nil {
			return nil, nil
		}
		rec, err := m.Given()
		if err == nil && key != "" {
			world.LeaveOutWinner(&rec.Value.Base)
		}
		return line(key, rec, func(r *dataset.Record[dataset.Match]) *dataset.Record[dataset.Match] { return r }), err
	case history.KindStandings:
		return line(key, w.Tables.At(v, world.TableID{SeasonID: season, Table: of.Table}), world.GivenTable), nil
	}
	return nil, nil
}

// line is the line of a record, nil for none. An empty key leaves its own.
func line[E any, T dataset.Entity](key string, e *E, given func(*E) *dataset.Record[T]) []byte {
	if e == nil {
		return nil
	}
	rec := given(e)
	rec.Key = cmp.Or(key, rec.Key)
	return dataset.Append(nil, rec)
}

// Name is what people call a team, a competition or an organization, as the records
// that were read do; empty where they do not say.
func Name(w *world.World, id sport.ID) (name string) {
	for t := range w.Teams.Both(id) {
		name = t.Name
	}
	for o := range w.Organizations.Both(id) {
		name = o.Name
	}
	for c := range w.AllSeasons(id) {
		name = c.Name
	}
	return name
}

// Key is what the operator calls an id: as the records that were read do, or else the
// id.
func Key(w *world.World, id sport.ID) string {
	key := ""
	for o := range w.Organizations.Both(id) {
		key = cmp.Or(o.Key, key)
	}
	for t := range w.Teams.Both(id) {
		key = cmp.Or(t.Key, key)
	}
	for p := range w.Players.Both(id) {
		key = cmp.Or(p.Key, key)
	}
	for m := range w.Matches.Both(id) {
		key = cmp.Or(m.Key, key)
	}
	for c := range w.AllSeasons(id) {
		key = cmp.Or(c.Key, key)
	}
	return cmp.Or(key, string(id))
}
