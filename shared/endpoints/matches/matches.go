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
	row := endpoints.Rows(route.GroupMatches, "/v1/matches/{id}")
	return []route.Operation{
		route.Define(row("", "A match.", route.AgeLive, keys.MatchesRead), e.match),
		route.Define(row("/lineups", "The line-ups of a match.", route.AgeLive, keys.MatchesRead), e.lineups),
		route.Define(row("/events", "The events of a match.", route.AgeLive, keys.MatchesRead), e.events),
		route.Define(row("/statistics", "A match in numbers.", route.AgeLive, keys.MatchStatisticsRead), e.statistics),
	}
}

// match is /v1/matches/{id}.
func (e Endpoints) match(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.MatchesReply], error) {
	m, err := e.Sports.Match(ctx, call.Viewer(), call.ID, p.Season)
	return endpoints.Data(err, func() wire.MatchesReply {
		r := wire.MatchesReply{Match: wire.MatchOf(&m.Match)}
		if m.Competition != nil {
			r.Competition = new(wire.CompetitionOf(m.Competition))
		}
		return r
	})
}

// lineups is /v1/matches/{id}/lineups.
func (e Endpoints) lineups(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.Lineups], error) {
	m, lineups, err := e.Sports.Lineups(ctx, call.Viewer(), call.ID, p.Season)
	return endpoints.Data(err, func() wire.Lineups { return e.Players.Lineups(&m.Match, lineups) })
}

// events is /v1/matches/{id}/events.
func (e Endpoints) events(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.Events], error) {
	m, events, err := e.Sports.Events(ctx, call.Viewer(), call.ID, p.Season)
	return endpoints.Data(err, func() wire.Events { return e.Players.Events(&m.Match, events) })
}

// statistics is /v1/matches/{id}/statistics.
func (e Endpoints) statistics(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.MatchStatistics], error) {
	m, figures, err := e.Sports.Figures(ctx, call.Viewer(), call.ID, p.Season)
	return endpoints.Data(err, func() wire.MatchStatistics { return wire.MatchStatisticsOf(&m.Match, figures) })
}
