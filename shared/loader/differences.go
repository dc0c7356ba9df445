package loader

import (
	"context"
	"fmt"

	"touchline/shared/dataset/encode"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// differences say what becomes of records. Given is what the dataset calls an
// id.
func (r *run) differences(ctx context.Context, noted []history.Record, given func(sport.ID) string) ([]history.Change, error) {
	if err := r.fetchDetails(ctx, noted); err != nil {
		return nil, err
	}
	var changes []history.Change
	for _, of := range noted {
		if r.erasure.Erases(&of) {
			changes = append(changes, history.Change{Op: history.Delete, Record: of, Erased: true})
			continue
		}
		before, err := r.line(of, world.Before)
		if err != nil {
			return nil, err
		}
		after, err := r.line(of, world.After)
		if err != nil {
			return nil, err
		}
		c, err := history.Compare(of, before, after, func(id sport.ID) string { return r.called(id, given) })
		if err != nil {
			return nil, fmt.Errorf("compare %s %s: %w", of.Kind, of.ID, err)
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// fetchDetails reads line-ups, events and figures of the matches among records.
func (r *run) fetchDetails(ctx context.Context, noted []history.Record) error {
	var matches []sport.ID
	for _, of := range noted {
		if of.Kind == sport.KindMatch {
			matches = append(matches, of.ID)
		}
	}
	return r.fetch.Details(ctx, matches)
}

// line is a record in a view as a line of a dataset, nil where it is not there.
func (r *run) line(of history.Record, v world.View) ([]byte, error) {
	w := r.world
	switch of.Kind {
	case sport.KindOrganization:
		if o := w.Organizations.At(v, of.ID); o != nil {
			return encode.Append(nil, o.Given()), nil
		}
	case sport.KindCompetition:
		if c := w.Competitions.At(v, world.SeasonID{ID: of.ID, Season: of.Season}); c != nil {
			return encode.Append(nil, c.Given()), nil
		}
	case sport.KindTeam:
		if t := w.Teams.At(v, of.ID); t != nil {
			return encode.Append(nil, t.Given()), nil
		}
	case sport.KindPlayer:
		if p := w.Players.At(v, of.ID); p != nil {
			return encode.Append(nil, p.Given()), nil
		}
	case sport.KindMatch:
		if m := w.Matches.At(v, of.ID); m != nil {
			rec, err := m.Given()
			return encode.Append(nil, rec), err
		}
	case history.KindStandings:
		if t := w.Tables.At(v, world.TableID{SeasonID: world.SeasonID{ID: of.ID, Season: of.Season}, Table: of.Table}); t != nil {
			return encode.Append(nil, world.GivenTable(t)), nil
		}
	}
	return nil, nil
}

// called is what the operator calls an id: as the dataset does, else as the
// records that were read do, else the id.
func (r *run) called(id sport.ID, given func(sport.ID) string) string {
	if key := given(id); key != string(id) {
		return key
	}
	w, key := r.world, ""
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
