// Package matches is the endpoints below /v1/matches/{id}: one match, a
// competition's or a friendly.
package matches

import (
	"context"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/route"
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

// match is /v1/matches/{id}.
func (e Endpoints) match(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.MatchesReply], error) {
	m, err := e.Sports.Match(ctx, call.Viewer(), call.ID, p.Season)
	if err != nil {
		return route.Data[wire.MatchesReply]{}, err
	}
	r := wire.MatchesReply{Match: wire.MatchOf(&m.Match)}
	if m.Competition != nil {
		r.Competition = new(wire.CompetitionOf(m.Competition))
	}
	return route.Data[wire.MatchesReply]{Data: r}, nil
}

// lineups is /v1/matches/{id}/lineups.
func (e Endpoints) lineups(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.Lineups], error) {
	m, lineups, err := e.Sports.Lineups(ctx, call.Viewer(), call.ID, p.Season)
	if err != nil {
		return route.Data[wire.Lineups]{}, err
	}
	return route.Data[wire.Lineups]{Data: e.Players.Lineups(&m.Match, lineups)}, nil
}

// events is /v1/matches/{id}/events.
func (e Endpoints) events(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.Events], error) {
	m, events, err := e.Sports.Events(ctx, call.Viewer(), call.ID, p.Season)
	if err != nil {
		return route.Data[wire.Events]{}, err
	}
	return route.Data[wire.Events]{Data: e.Players.Events(&m.Match, events)}, nil
}

// statistics is /v1/matches/{id}/statistics.
func (e Endpoints) statistics(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.MatchStatistics], error) {
	m, figures, err := e.Sports.Figures(ctx, call.Viewer(), call.ID, p.Season)
	if err != nil {
		return route.Data[wire.MatchStatistics]{}, err
	}
	return route.Data[wire.MatchStatistics]{Data: wire.MatchStatisticsOf(&m.Match, figures)}, nil
}
