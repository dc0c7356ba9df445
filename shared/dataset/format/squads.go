package format

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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
		stored, err := r.stored(ctx, sport.KindMatch, []Wanted{w})
		if err != nil {
			return err
		}
		base, _ := jsonl.Split(stored[0]) // else there are no teams
		match = jsonl.Over(base, match)
	}
	of := map[sport.Side]sport.ID{
		sport.SideHome: names.KeyIn(sport.KindTeam, match.Of("homeTeamId")), sport.SideAway: names.KeyIn(sport.KindTeam, match.Of("awayTeamId")),
	}
	for list, rows := range p.lists {
		for i, text := range rows {
			row, _ := jsonl.Split(text) // it was written so
			side := sport.Side(names.TextOf(row.Of("side")))
			if _, in, ofSide := strings.Cut(list, "."); ofSide { // lineups.home.bench
				side = sport.Side(strings.Split(in, ".")[0])
			}
			var err error
			if rows[i], err = r.playersOf(ctx, row, of[side], of[scorer(row, side)], p.rows[fmt.Sprintf("%s[%d]", list, i)]); err != nil {
				return err
			}
		}
	}
	return nil
}

// scorer is the side that the player of an event plays for: of an own goal the other one.
func scorer(event jsonl.Object, side sport.Side) sport.Side {
	if names.TextOf(event.Of("detail")) == string(sport.GoalOwn) {
		return map[sport.Side]sport.Side{sport.SideHome: sport.SideAway, sport.SideAway: sport.SideHome}[side]
	}
	return side
}

// playersOf looks up those of a row, in the team of its side or, as player, in another one.
func (r *reader) playersOf(ctx context.Context, row jsonl.Object, team, scorers sport.ID, at dataset.Origin) (jsontext.Value, error) {
	for _, n := range names.Namings[files.Events] {
		called := names.TextOf(row.Of(n.Column))
		if called == "" {
			continue
		}
		of := Scope{Kind: sport.KindPlayer, ID: team}
		if n.Column == "player" {
			of.ID = scorers
		}
		d, err := r.directory(ctx, of)
		if err != nil {
			return nil, err
		}
		id, wrong := d.Player(called)
		if wrong == "" && id == "" {
			if id, err = r.guest(ctx, called); err != nil {
				return nil, err
			}
		}
		given := names.KeyIn(n.Kind, row.Of(n.Field))
		switch {
		case wrong != "":
			wrong += ": say which in a column " + n.Field
		case id == "" && of.ID == "":
			wrong = "is looked up in the team of a side: give the side, and a match that is known"
		case id == "":
			team := r.set.Called(of.ID)
			if i := slices.IndexFunc(r.set.Teams, func(t *dataset.Record[sport.Team]) bool { return t.ID == of.ID }); i >= 0 {
				team = r.set.Teams[i].Value.Name
			}
			wrong = fmt.Sprintf("no player of %s is %q%s", dataset.Quoted(sport.KindTeam, team), called, names.Near(called, n.Field, d))
		case given != "" && given != id:
			wrong = fmt.Sprintf("%q is not %s, whom %s gives", called, dataset.Quoted(n.Kind, names.TextOf(row.Of(n.Field))), n.Field)
		}
		if wrong != "" {
			r.faults.Add(r.place(dataset.Fault{File: at.File, Line: at.Line, Field: n.Column, Message: wrong}))
		}
		row = append(row.Without(n.Column, n.Field), jsonl.Member{Name: n.Field, Value: jsontext.Value("null")})
		if id != "" {
			row[len(row)-1].Value = names.Quoted(id)
		}
	}
	return row.Text(), nil
}

// guest is a player of any team by the key; empty for none.
func (r *reader) guest(ctx context.Context, key string) (sport.ID, error) {
	id := dataset.ID(sport.KindPlayer, key)
	if r.gives(sport.KindPlayer, id, 0) {
		return id, nil
	}
	stored, err := r.stored(ctx, sport.KindPlayer, []Wanted{{Key: key}})
	if err != nil || stored[0] == nil {
		return "", err
	}
	return id, nil
}
