package imports

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// record is a record of a dataset, or a part of one: its fields by name.
type record map[string]any

// match is a match of which a score is reported.
type match struct {
	*world.Match
	key     string          // what a dataset calls it
	players []*world.Player // of both teams
}

// matchOf reads a match; nil if there isn't one.
func matchOf(ctx context.Context, table *store.Table, id sport.ID) (*match, error) {
	w := world.NewWorld()
	fetch := &world.Fetcher{Table: table, World: w}
	fetch.Matches(ctx, []sport.ID{id})
	m := w.Matches.At(world.Before, id)
	if err := fetch.Err(); err != nil || m == nil {
		return nil, err
	}
	ids := slices.Collect(fetch.PlayersOf(ctx, []sport.ID{m.HomeTeamID, m.AwayTeamID}))
	ids = append(ids, m.Squad...) // guests, too
	fetch.Players(ctx, ids)
	found := &match{Match: m, key: cmp.Or(m.Key, string(id))}
	for _, id := range ids {
		if p := w.Players.At(world.Before, id); p != nil {
			found.players = append(found.players, p)
		}
	}
	return found, fetch.Err()
}

// player is the player whom a report names: the id of the only one of that name, else
// the word as it is.
func (m *match) player(word string) string {
	found := word
	for _, p := range m.players {
		switch {
		case p.ID == dataset.ID(sport.KindPlayer, word):
			return word
		case strings.EqualFold(p.Name, word) && found != word && found != string(p.ID):
			return word // of two players
		case strings.EqualFold(p.Name, word):
			found = string(p.ID)
		}
	}
	return found
}
