package edits

import (
	"context"
	"time"

	"touchline/shared/loader/history"
	"touchline/shared/loader/lines"
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
		fetch.Competitions(ctx, []sport.ID{r.competition})
		if err := fetch.Err(); err != nil {
			return nil, err
		}
		if c := w.SeasonOf(world.Before, r.competition, r.season); c != nil {
			r.zone = Zone(c.Timezone)
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
	fetch.Records(ctx, map[sport.Kind][]sport.ID{kind: ids})
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	team, teams := id, []sport.ID(nil)
	if p := w.Players.At(world.Before, id); p != nil {
		team, teams = p.TeamID, []sport.ID{p.TeamID}
	}
	fetch.Teams(ctx, teams)
	fetch.Details(ctx, ids)
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	if c := w.SeasonOf(world.Before, id, season); c != nil {
		r.competition, r.season = id, c.Season
	}
	if t := w.Teams.At(world.Before, team); t != nil {
		r.competition, r.season = t.CompetitionID, t.Season
	}
	if m := w.Matches.At(world.Before, id); m != nil {
		r.competition, r.season = m.CompetitionID, m.Season
	}
	r.key = lines.Key(w, id)
	line, err := lines.As(w, history.Record{Kind: kind, ID: id, Season: r.season}, world.Before, r.key)
	if err == nil && line == nil {
		err = ErrNotFound
	}
	return line, err
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
	withdrawals, _ := r.fields["withdrawals"].([]any)
	for _, w := range withdrawals {
		teams = append(teams, sport.ID(text(object(w), "teamId")))
	}
	fetch.Organizations(ctx, organizations)
	fetch.Teams(ctx, teams)
	if err := fetch.Err(); err != nil {
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
