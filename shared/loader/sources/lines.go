package sources

import (
	"cmp"
	"context"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Fetch reads records, of matches also their line-ups, events and figures.
func Fetch(ctx context.Context, f *world.Fetcher, of []history.Record) error {
	ids := map[sport.Kind][]sport.ID{}
	for _, r := range of {
		kind := r.Kind
		if kind == history.KindStandings { // it is read with its competition
			kind = sport.KindCompetition
		}
		ids[kind] = append(ids[kind], r.ID)
	}
	f.Records(ctx, ids)
	f.Details(ctx, ids[sport.KindMatch])
	return f.Err()
}

// All are the records of a kind that a table holds, in order. Of them seasons alone are read.
func All(ctx context.Context, f *world.Fetcher, kind sport.Kind) (all []history.Record) {
	if kind == history.KindStandings {
		for _, t := range f.EveryTable(ctx) {
			all = append(all, history.Record{Kind: kind, ID: t.Competition, Season: t.Season, Table: t.Table})
		}
		return all
	}
	ids := f.Everything(ctx, kind)
	if kind == sport.KindCompetition {
		f.Competitions(ctx, ids)
		return Seasons(f.World, ids)
	}
	for _, id := range ids {
		all = append(all, history.Record{Kind: kind, ID: id})
	}
	return all
}

// Seasons are those of competitions that were read.
func Seasons(w *world.World, competitions []sport.ID) (all []history.Record) {
	for _, id := range competitions {
		for c := range w.SeasonsOf(world.Before, id) {
			all = append(all, history.Record{Kind: sport.KindCompetition, ID: id, Season: c.Season})
		}
	}
	return all
}

// Line is a record in a view as a line of a dataset, nil where it is not there. References
// are ids.
func Line(w *world.World, of history.Record, v world.View) ([]byte, error) {
	return Shape{}.Line(w, of, v)
}

// Shape says what a line is for.
type Shape struct {
	// Key is the id that a dataset gives a record which is completed by the line; empty: its
	// own key. Whether anybody sees the record the line does not say then: that it stays, what
	// completes it does not say either (D74).
	Key    string
	Called func(sport.ID) sport.ID // what it calls others; nil: by their ids
	// Day is the kick-off of a match, whose hour is open, as a date alone; empty where that would
	// be another. nil: it is an instant, whatever becomes of the time zone (D82).
	Day func(*sport.Match) string
}

// Line is a record in a view as a line of the shape, nil where it is not there.
func (s Shape) Line(w *world.World, of history.Record, v world.View) ([]byte, error) {
	season := world.SeasonID{ID: of.ID, Season: of.Season}
	switch of.Kind {
	case sport.KindOrganization:
		return line(s, w.Organizations.At(v, of.ID), (*world.Organization).Given), nil
	case sport.KindCompetition:
		return line(s, w.Competitions.At(v, season), (*world.Competition).Given), nil
	case sport.KindTeam:
		return line(s, w.Teams.At(v, of.ID), (*world.Team).Given), nil
	case sport.KindPlayer:
		return line(s, w.Players.At(v, of.ID), (*world.Player).Given), nil
	case sport.KindMatch:
		m := w.Matches.At(v, of.ID)
		if m == nil {
			return nil, nil
		}
		rec, err := m.Given()
		if s.Day != nil && m.KickoffTimeOpen {
			rec.Value.KickoffLocal = s.Day(&m.Match)
		}
		return line(s, rec, func(r *dataset.Record[dataset.Match]) *dataset.Record[dataset.Match] { return r }), err
	case history.KindStandings:
		return line(s, w.Tables.At(v, world.TableID{SeasonID: season, Table: of.Table}), world.GivenTable), nil
	}
	return nil, nil
}

// line is the line of a record, nil for none.
func line[E any, T dataset.Entity](s Shape, e *E, given func(*E) *dataset.Record[T]) []byte {
	if e == nil {
		return nil
	}
	rec := given(e)
	if rec.Key = cmp.Or(s.Key, rec.Key); s.Key != "" {
		silence(&rec.Value)
	}
	if s.Called != nil {
		rename(&rec.Value, s.Called)
	}
	return format.Append(nil, rec)
}

// rename gives what a record refers to other names, in slices of its own; the details of a
// match are. Teams that have withdrawn keep their ids, since a competition comes before them.
func rename(record any, called func(sport.ID) sport.ID) {
	switch r := record.(type) {
	case *sport.Organization:
		r.AdditionalParentIDs = slices.Clone(r.AdditionalParentIDs)
	case *sport.GivenTable:
		r.Rows = slices.Clone(r.Rows)
	}
	_, competition := record.(*sport.Competition)
	for r := range dataset.ReferencesOf(record) {
		if !competition || r.Kind != sport.KindTeam {
			*r.At = called(r.ID)
		}
	}
}

// silence takes out of a record who sees it.
func silence[T dataset.Entity](record *T) {
	if v := dataset.Visibility(record); v != nil {
		*v = ""
	}
	if c, ok := any(record).(*sport.Competition); ok {
		c.Rules.HidePlayers = false
	}
}

// Called is what the operator and people call a record in a view, as far as it says, and
// whether it is there. Of a competition without a season it is what
// any of them says, the current one first.
func Called(w *world.World, v world.View, of history.Record) (key, name string, found bool) {
	switch of.Kind {
	case sport.KindOrganization:
		return called(w.Organizations.At(v, of.ID), func(x *world.Organization) (key, name string) { return x.Key, x.Name })
	case sport.KindTeam:
		return called(w.Teams.At(v, of.ID), func(x *world.Team) (key, name string) { return x.Key, x.Name })
	case sport.KindPlayer:
		return called(w.Players.At(v, of.ID), func(x *world.Player) (key, name string) { return x.Key, x.Name })
	case sport.KindMatch:
		return called(w.Matches.At(v, of.ID), func(x *world.Match) (key, name string) { return x.Key, "" })
	case history.KindStandings:
		t := world.TableID{SeasonID: world.SeasonID{ID: of.ID, Season: of.Season}, Table: of.Table}
		return "", "", w.Tables.At(v, t) != nil
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
	}
	return key, name, found
}

func called[E any](e *E, says func(*E) (key, name string)) (key, name string, found bool) {
	if e != nil {
		key, name = says(e)
	}
	return key, name, e != nil
}

// Stored reports whether a record is there before the load.
func Stored(w *world.World, of history.Record) bool {
	_, _, found := Called(w, world.Before, of)
	return found
}

// Names are what an id is called by the records that were read: after the load, or else
// before. The key is the operator's, or the id; the name is that of a team, a competition or
// an organization, empty where they do not say.
func Names(w *world.World, id sport.ID) (key, name string) {
	for _, kind := range []sport.Kind{sport.KindCompetition, sport.KindMatch, sport.KindPlayer, sport.KindTeam, sport.KindOrganization} {
		for _, v := range []world.View{world.After, world.Before} {
			k, n, _ := Called(w, v, history.Record{Kind: kind, ID: id})
			if key = cmp.Or(key, k); kind != sport.KindPlayer {
				name = cmp.Or(name, n)
			}
		}
	}
	return cmp.Or(key, string(id)), name
}
