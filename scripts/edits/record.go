package edits

import (
	"context"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// record is a stored record.
type record struct {
	key         string
	fields      Object   // as a dataset gives them; references are ids
	competition sport.ID // that it belongs to; empty: none
	season      int
	zone        *time.Location
	called      map[sport.ID]string // what a dataset calls the records that it refers to
}

// record reads a record.
func (b Book) record(ctx context.Context, kind sport.Kind, id sport.ID, season int) (*record, error) {
	w, fetch := b.open()
	r := &record{zone: time.UTC, called: map[sport.ID]string{}}
	line, err := r.read(ctx, w, fetch, kind, id, season)
	if err != nil {
		return nil, err
	}
	if r.fields, err = decoded(line); err != nil {
		return nil, err
	}
	if r.competition != "" {
		if err := fetch.Competitions(ctx, []sport.ID{r.competition}); err != nil {
			return nil, err
		}
		if c := w.SeasonOf(r.competition, r.season); c != nil {
			r.zone = zone(c.Timezone)
			r.note(c.ID, c.Key)
		}
	}
	return r, r.references(ctx, w, fetch)
}

func (r *record) note(id sport.ID, key string) {
	if key != "" {
		r.called[id] = key
	}
}

// read reads the line of a record and to what season it belongs.
func (r *record) read(ctx context.Context, w *world.World, fetch *world.Fetcher, kind sport.Kind, id sport.ID, season int) ([]byte, error) {
	ids := []sport.ID{id}
	switch kind {
	case sport.KindOrganization:
		if err := fetch.Organizations(ctx, ids); err != nil {
			return nil, err
		}
		return lineOf(r, w.Organizations.At(world.Before, id), (*world.Organization).Given)
	case sport.KindCompetition:
		if err := fetch.Competitions(ctx, ids); err != nil {
			return nil, err
		}
		c := w.SeasonOf(id, season)
		if c != nil {
			r.competition, r.season = id, c.Season
		}
		return lineOf(r, c, (*world.Competition).Given)
	case sport.KindTeam:
		if err := fetch.Teams(ctx, ids); err != nil {
			return nil, err
		}
		t := w.Teams.At(world.Before, id)
		if t != nil {
			r.competition, r.season = t.CompetitionID, t.Season
		}
		return lineOf(r, t, (*world.Team).Given)
	case sport.KindPlayer:
		if err := fetch.Players(ctx, ids); err != nil {
			return nil, err
		}
		p := w.Players.At(world.Before, id)
		if p == nil {
			return nil, ErrNotFound
		}
		if err := fetch.Teams(ctx, []sport.ID{p.TeamID}); err != nil {
			return nil, err
		}
		if t := w.Teams.At(world.Before, p.TeamID); t != nil {
			r.competition, r.season = t.CompetitionID, t.Season
		}
		return lineOf(r, p, (*world.Player).Given)
	case sport.KindMatch:
		return r.readMatch(ctx, w, fetch, id)
	}
	return nil, ErrNotFound
}

func (r *record) readMatch(ctx context.Context, w *world.World, fetch *world.Fetcher, id sport.ID) ([]byte, error) {
	if err := fetch.Matches(ctx, []sport.ID{id}); err != nil {
		return nil, err
	}
	m := w.Matches.At(world.Before, id)
	if m == nil {
		return nil, ErrNotFound
	}
	if err := fetch.Details(ctx, []sport.ID{id}); err != nil {
		return nil, err
	}
	given, err := m.Given()
	if err != nil {
		return nil, err
	}
	world.LeaveOutWinner(&given.Value.Base)
	r.key, r.competition, r.season = called(m.ID, m.Key), m.CompetitionID, m.Season
	return dataset.Append(nil, given), nil
}

// lineOf is the line of an entity, which is nil where there is none.
func lineOf[E any, T dataset.Entity](r *record, e *E, given func(*E) *dataset.Record[T]) ([]byte, error) {
	if e == nil {
		return nil, ErrNotFound
	}
	rec := given(e)
	r.key = called(rec.ID, rec.Key)
	return dataset.Append(nil, rec), nil
}

// references reads what a dataset calls the records that the record refers to.
func (r *record) references(ctx context.Context, w *world.World, fetch *world.Fetcher) error {
	id := func(name string) []sport.ID {
		if text, ok := r.fields[name].(string); ok {
			return []sport.ID{sport.ID(text)}
		}
		return nil
	}
	organizations := append(id("parentId"), id("organizationId")...)
	teams := append(append(id("teamId"), id("homeTeamId")...), id("awayTeamId")...)
	if err := fetch.Organizations(ctx, organizations); err != nil {
		return err
	}
	if err := fetch.Teams(ctx, teams); err != nil {
		return err
	}
	for _, of := range organizations {
		if o := w.Organizations.At(world.Before, of); o != nil {
			r.note(of, o.Key)
		}
	}
	for _, of := range teams {
		if t := w.Teams.At(world.Before, of); t != nil {
			r.note(of, t.Key)
		}
	}
	return nil
}
