// Package lines gives records of a view as a dataset has them: their lines, and what
// the operator calls them.
package lines

import (
	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Of is a record in a view as a line of a dataset, nil where it is not there.
func Of(w *world.World, of history.Record, v world.View) ([]byte, error) {
	switch of.Kind {
	case sport.KindOrganization:
		if o := w.Organizations.At(v, of.ID); o != nil {
			return dataset.Append(nil, o.Given()), nil
		}
	case sport.KindCompetition:
		if c := w.Competitions.At(v, world.SeasonID{ID: of.ID, Season: of.Season}); c != nil {
			return dataset.Append(nil, c.Given()), nil
		}
	case sport.KindTeam:
		if t := w.Teams.At(v, of.ID); t != nil {
			return dataset.Append(nil, t.Given()), nil
		}
	case sport.KindPlayer:
		if p := w.Players.At(v, of.ID); p != nil {
			return dataset.Append(nil, p.Given()), nil
		}
	case sport.KindMatch:
		if m := w.Matches.At(v, of.ID); m != nil {
			rec, err := m.Given()
			return dataset.Append(nil, rec), err
		}
	case history.KindStandings:
		if t := w.Tables.At(v, world.TableID{SeasonID: world.SeasonID{ID: of.ID, Season: of.Season}, Table: of.Table}); t != nil {
			return dataset.Append(nil, world.GivenTable(t)), nil
		}
	}
	return nil, nil
}

// Name is what people call a team, a competition or an organization, as the records
// that were read do; empty where they do not say.
func Name(w *world.World, id sport.ID) string {
	for _, v := range []world.View{world.After, world.Before} {
		if t := w.Teams.At(v, id); t != nil {
			return t.Name
		} else if o := w.Organizations.At(v, id); o != nil {
			return o.Name
		}
		name := ""
		w.Seasons.Each(v, id, func(year int) {
			if c := w.Competitions.At(v, world.SeasonID{ID: id, Season: year}); c != nil {
				name = c.Name
			}
		})
		if name != "" {
			return name
		}
	}
	return ""
}

// Key is what the operator calls an id: as the records that were read do, or else the
// id.
func Key(w *world.World, id sport.ID) string {
	key := ""
	for _, v := range []world.View{world.After, world.Before} {
		if o := w.Organizations.At(v, id); o != nil {
			key = o.Key
		} else if t := w.Teams.At(v, id); t != nil {
			key = t.Key
		} else if p := w.Players.At(v, id); p != nil {
			key = p.Key
		} else if m := w.Matches.At(v, id); m != nil {
			key = m.Key
		} else {
			w.Seasons.Each(v, id, func(year int) {
				if c := w.Competitions.At(v, world.SeasonID{ID: id, Season: year}); c != nil {
					key = c.Key
				}
			})
		}
		if key != "" {
			return key
		}
	}
	return string(id)
}
