// Package matches is the endpoints below /v1/matches/{id}: one match, a
// competition's or a friendly.
package matches

import (
	"context"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/scope"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Endpoints are the handlers of the group.
type Endpoints endpoints.Deps

// Operations are the group's rows of the route table.
func Operations(d endpoints.Deps) []route.Operation {
	e := Endpoints(d)
	row := func(path string, scope keys.Scope, summary string) route.Row {
		return route.Row{
			Group: route.GroupMatches, Path: "/v1/matches/{id}" + path,
			Scopes: []keys.Scope{scope}, Summary: summary, Cache: route.AgeLive,
		}
	}
	return []route.Operation{
		route.Define(row("", keys.MatchesRead, "A match."), e.match),
		route.Define(row("/lineups", keys.MatchesRead, "The line-ups of a match."), e.lineups),
		route.Define(row("/events", keys.MatchesRead, "The events of a match."), e.events),
		route.Define(row("/statistics", keys.MatchStatisticsRead, "A match in numbers."), e.statistics),
	}
}

// reply is the data of match.
type reply struct {
	Competition *wire.Competition `json:"competition"` // null: a friendly
	Match       wire.Match        `json:"match"`
}

// match is /v1/matches/{id}.
func (e Endpoints) match(ctx context.Context, call route.Call, p route.Season) (route.Data[reply], error) {
	_, m, err := e.find(ctx, call, p)
	if err != nil {
		return route.Data[reply]{}, err
	}
	r := reply{Match: wire.MatchOf(&m.Match)}
	if m.Competition != nil {
		r.Competition = new(wire.CompetitionOf(m.Competition))
	}
	return route.Data[reply]{Data: r}, nil
}

// find gives the match, having read what is to be read together with it. A
// season, where asked for, must be the current one of the match's competition,
// whichever the match is of; a friendly has none (D16).
func (e Endpoints) find(ctx context.Context, call route.Call, asked route.Season, with ...func(sport.ID) store.Key) (*records.Snapshot, *records.MatchRecord, error) {
	id, err := scope.ID(call)
	if err != nil {
		return nil, nil, err
	}
	snap, key := e.Sports.Open(), records.MatchKey(id)
	wanted := []store.Key{key}
	for _, part := range with {
		wanted = append(wanted, part(id))
	}
	if err := snap.Fetch(ctx, wanted...); err != nil {
		return nil, nil, err
	}
	m, err := scope.Find[records.MatchRecord](snap, call, key)
	if err != nil {
		return nil, nil, err
	}
	if asked.Season != 0 {
		err = current(ctx, snap, m, asked.Season)
	}
	return snap, m, err
}

// current fails with notFound where the season is not the current one of the
// match's competition.
func current(ctx context.Context, snap *records.Snapshot, m *records.MatchRecord, season int) error {
	if m.Competition == nil {
		return scope.NotFound(problem.MissingSeason)
	}
	key := records.CompetitionKey(m.Competition.ID, records.CurrentTag)
	if err := snap.Fetch(ctx, key); err != nil {
		return err
	}
	c, err := records.Record[records.CompetitionRecord](snap, key)
	if err != nil {
		return err
	}
	if c == nil || c.Hidden || c.Season != season {
		return scope.NotFound(problem.MissingSeason)
	}
	return nil
}
