package database

import (
	"cmp"
	"context"
	"strings"

	"touchline/shared/dataset/slips"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// mostCalled bounds the records that Called reads.
const mostCalled = 5000

// Called finds the competition or match that a person means by a word that is neither key
// nor id of one: id is that of the only one with this name, which of a match is "home -
// away"; else meant is what the nearest is called, by its key or name, and empty where
// none is near or the table has more than mostCalled of the kind.
func (d *Database) Called(ctx context.Context, kind sport.Kind, word string) (id sport.ID, meant string, err error) {
	w := world.NewWorld()
	fetch := &world.Fetcher{Table: d.Sports(), World: w}
	ids := fetch.Everything(ctx, kind)
	if len(ids) > mostCalled {
		return "", "", nil
	}
	called := names(ctx, fetch, kind, ids)
	if err := fetch.Err(); err != nil {
		return "", "", err
	}
	calls, found := map[string]string{}, 0
	var texts []string
	for i, x := range called {
		if strings.EqualFold(x.name, word) {
			id = ids[i]
			found++
		}
		for _, text := range []string{x.key, x.name} {
			texts = append(texts, text)
			calls[text] = cmp.Or(x.key, string(ids[i]))
		}
	}
	if found == 1 {
		return id, "", nil
	}
	return "", calls[slips.Near(word, texts)], nil
}

// name is what a record is called.
type name struct{ key, name string }

func names(ctx context.Context, fetch *world.Fetcher, kind sport.Kind, ids []sport.ID) []name {
	w, called := fetch.World, make([]name, len(ids))
	if kind == sport.KindCompetition {
		fetch.Competitions(ctx, ids)
		for i, id := range ids {
			if c := w.SeasonOf(world.Before, id, 0); c != nil {
				called[i] = name{c.Key, c.Name}
			}
		}
		return called
	}
	fetch.Matches(ctx, ids)
	var teams []sport.ID
	for _, id := range ids {
		if m := w.Matches.At(world.Before, id); m != nil {
			teams = append(teams, m.HomeTeamID, m.AwayTeamID)
		}
	}
	fetch.Teams(ctx, teams)
	for i, id := range ids {
		m := w.Matches.At(world.Before, id)
		if m == nil {
			continue
		}
		called[i].key = m.Key
		if home, away := w.Teams.At(world.Before, m.HomeTeamID), w.Teams.At(world.Before, m.AwayTeamID); home != nil && away != nil {
			called[i].name = home.Name + " - " + away.Name
		}
	}
	return called
}
