package format

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/names"
	"touchline/shared/sport"
)

// players puts ids in the place of the names and numbers of players in what sheets say of a
// match, whose record says the teams, or else what is stored of it.
func (r *reader) players(ctx context.Context, p *parts, match jsonl.Object) error {
	if !p.names {
		return nil
	}
	if w, ok := wantedBy(files.Matches, match); ok && (match.Of("homeTeamId") == nil || match.Of("awayTeamId") == nil) {
		base, err := r.storedOf(ctx, sport.KindMatch, w.Key)
		if err != nil {
			return err
		}
		match = jsonl.Over(base, match)
	}
	of := map[sport.Side]sport.ID{
		sport.SideHome: names.KeyIn(sport.KindTeam, match.Of("homeTeamId")), sport.SideAway: names.KeyIn(sport.KindTeam, match.Of("awayTeamId")),
	}
	for list, rows := range p.lists {
		for i, text := range rows {
			row, _ := jsonl.Split(text) // it was written so
			side := sport.Side(jsonl.TextOf(row.Of("side")))
			if _, in, ofSide := strings.Cut(list, "."); ofSide { // lineups.home.bench
				side = sport.Side(strings.Split(in, ".")[0])
			}
			x := &sheetRow{fields: row, at: p.rows[fmt.Sprintf("%s[%d]", list, i)]}
			for _, n := range names.Namings[files.Events] {
				in := Scope{Kind: sport.KindPlayer, ID: of[side]}
				if n.Column == "player" {
					in.ID = of[scorer(row, side)]
				}
				if err := r.name(ctx, n, x, func() (Scope, int, error) { return in, 0, nil }); err != nil {
					return err
				}
			}
			for _, w := range x.wrong {
				r.faults.Add(r.place(dataset.Fault{File: x.at.File, Line: x.at.Line, Field: w.Field, Message: w.Message}))
			}
			rows[i] = x.fields.Text()
		}
	}
	return nil
}

// scorer is the side that the player of an event plays for: of an own goal the other one.
func scorer(event jsonl.Object, side sport.Side) sport.Side {
	if jsonl.TextOf(event.Of("detail")) == string(sport.GoalOwn) {
		return side.Other()
	}
	return side
}

// guest is a player of any team by the key; none for nobody.
func (r *reader) guest(ctx context.Context, key string) ([]*names.Candidate, error) {
	found := []*names.Candidate{{ID: dataset.ID(sport.KindPlayer, key)}}
	if r.gives(sport.KindPlayer, found[0].ID, 0) {
		return found, nil
	}
	if stored, err := r.storedOf(ctx, sport.KindPlayer, key); stored == nil {
		return nil, err
	}
	return found, nil
}

// teamOf is what an officer calls a team.
func (r *reader) teamOf(ctx context.Context, id sport.ID) (string, error) {
	for _, t := range r.set.Teams {
		if t.ID == id {
			return t.Value.Name, nil
		}
	}
	stored, err := r.storedOf(ctx, sport.KindTeam, string(id))
	return cmp.Or(jsonl.TextOf(stored.Of("name")), r.set.Called(id)), err
}

// storedOf is a stored record; nil: there isn't one.
func (r *reader) storedOf(ctx context.Context, kind sport.Kind, key string) (jsonl.Object, error) {
	lines, err := r.stored(ctx, kind, []Wanted{{Key: key}})
	if err != nil || lines[0] == nil {
		return nil, err
	}
	record, _ := jsonl.Split(lines[0])
	return record, nil
}
