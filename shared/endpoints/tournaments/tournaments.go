// Package tournaments is the endpoints below /v1/tournaments/{id}: one
// competition's season, its matches, tables, teams and players. A request without
// a season is about the current one (D16).
package tournaments

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
	row := endpoints.Rows(route.GroupTournaments, "/v1/tournaments/{id}")
	return []route.Operation{
		route.Define(row("", "A competition.", route.Age, keys.CompetitionsRead), e.competition),
		route.Define(row("/matches", "The matches of a competition.", route.AgeLive, keys.MatchesRead), e.matches),
		route.Define(row("/standings", "The tables of a competition.", route.AgeLive, keys.StandingsRead), e.standings),
		route.Define(row("/groups", "The groups of a competition.", route.Age, keys.CompetitionsRead), e.groups),
		route.Define(endpoints.Windowed(row("/teams", "The teams of a competition.", route.Age, keys.TeamsRead)), e.teams),
		route.Define(endpoints.Windowed(row("/players", "The players of a competition.", route.Age, keys.PlayersRead)), e.players),
		route.Define(row("/statistics", "A competition in numbers.", route.AgeLive, keys.CompetitionsRead, keys.PlayersRead), e.statistics),
		route.Define(row("/top-scorers", "The players of a competition by goals, assists or appearances.", route.AgeLive, keys.PlayersRead), e.scorers),
		route.Define(row("/cards", "The cards of a competition by player or team.", route.AgeLive, keys.PlayersRead), e.cards),
	}
}

// competition is /v1/tournaments/{id}.
func (e Endpoints) competition(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.TournamentsCompetitionReply], error) {
	c, err := e.Sports.Competition(ctx, call.Viewer(), call.ID, p.Season.Season)
	return endpoints.Data(err, func() wire.TournamentsCompetitionReply {
		return wire.TournamentsCompetitionReply{Competition: wire.CompetitionDetailOf(c)}
	})
}

// standings is /v1/tournaments/{id}/standings.
func (e Endpoints) standings(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.Standings], error) {
	c, tables, err := e.Sports.Tables(ctx, call.Viewer(), call.ID, p.Season.Season)
	return endpoints.Data(err, func() wire.Standings { return wire.StandingsOf(c, tables) })
}

// groups is /v1/tournaments/{id}/groups.
func (e Endpoints) groups(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.Groups], error) {
	g, err := e.Sports.Groups(ctx, call.Viewer(), call.ID, p.Season.Season)
	return endpoints.Data(err, func() wire.Groups { return wire.GroupsOf(g.Competition, g.Seasons, g.Groups) })
}

// statistics is /v1/tournaments/{id}/statistics.
func (e Endpoints) statistics(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.CompetitionStatistics], error) {
	s, err := e.Sports.CompetitionSeason(ctx, call.Viewer(), call.ID, p.Season.Season)
	return endpoints.Data(err, func() wire.CompetitionStatistics {
		return e.Players.CompetitionStatistics(s.Competition, s.Numbers, s.Players)
	})
}
