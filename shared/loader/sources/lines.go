package sources

import (
	"cmp"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Line is a record in a view as a line of a dataset, nil where it is not there.
func Line(w *world.World, of history.Record, v world.View) ([]byte, error) {
	return LineAs(w, of, v, "")
}

// LineAs is Line under the id that a dataset gives, for a record that the dataset completes:
// without a winner that follows from the score.
func LineAs(w *world.World, of history.Record, v world.View, key string) ([]byte, error) {
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

// Called is what the operator and people call a record in a view, as far as it says, and
// whether it is there. Of a competition without a season it is what
// any of them says, the current one first.
func Called(w *world.World, v world.View, of history.Record) (key, name string, found bool) {
	season := world.SeasonID{ID: of.ID, Season: of.Season}
	switch of.Kind {
	case sport.KindOrganization:
		if x := w.Organizations.At(v, of.ID); x != nil {
			return x.Key, x.Name, true
		}
	case sport.KindCompetition:
		for c := range w.SeasonsOf(v, of.ID) {
			if of.Season != 0 && of.Season != c.Season {
				continue
			}
			key = cmp.Or(key, c.Key)
			if !found || c.IsCurrent {
				name, found = c.Name, true
			}
		}
		return key, name, found
	case sport.KindTeam:
		if x := w.Teams.At(v, of.ID); x != nil {
			return x.Key, x.Name, true
		}
	case sport.KindPlayer:
		if x := w.Players.At(v, of.ID); x != nil {
			return x.Key, x.Name, true
		}
	case sport.KindMatch:
		if x := w.Matches.At(v, of.ID); x != nil {
			return x.Key, "", true
		}
	case history.KindStandings:
		return "", "", w.Tables.At(v, world.TableID{SeasonID: season, Table: of.Table}) != nil
	}
	return "", "", false
}

// Stored reports whether a record is there before the load.
func Stored(w *world.World, of history.Record) bool {
	_, _, found := Called(w, world.Before, of)
	return found
}

// Name is what people call a team, a competition or an organization, as the records
// that were read do; empty where they do not say.
func Name(w *world.World, id sport.ID) string {
	_, name := called(w, id, sport.KindCompetition, sport.KindOrganization, sport.KindTeam)
	return name
}

// Key is what the operator calls an id: as the records that were read do, or else the
// id.
func Key(w *world.World, id sport.ID) string {
	key, _ := called(w, id, sport.KindCompetition, sport.KindMatch, sport.KindPlayer, sport.KindTeam, sport.KindOrganization)
	return cmp.Or(key, string(id))
}

// called is what the record of one of the kinds is called: after the load, or else before.
func called(w *world.World, id sport.ID, kinds ...sport.Kind) (key, name string) {
	for _, kind := range kinds {
		for _, v := range []world.View{world.After, world.Before} {
			k, n, _ := Called(w, v, history.Record{Kind: kind, ID: id})
			key, name = cmp.Or(key, k), cmp.Or(name, n)
		}
	}
	return key, name
}
