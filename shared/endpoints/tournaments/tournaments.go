// Package tournaments is the endpoints below /v1/tournaments/{id}: one
// competition's season, its matches, tables, teams and players. A request without
// a season is about the current one (D16).
package tournaments

import (
	"context"
	"time"

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
	row := func(path, summary string, old time.Duration, scopes ...keys.Scope) route.Row {
		return route.Row{
			Group: route.GroupTournaments, Path: "/v1/tournaments/{id}" + path,
			Scopes: scopes, Summary: summary, Cache: old,
		}
	}
	windowed := func(r route.Row) route.Row {
		r.Window = true
		return r
	}
	return []route.Operation{
		route.Define(row("", "A competition.", route.Age, keys.CompetitionsRead), e.competition),
		route.Define(row("/matches", "The matches of a competition.", route.AgeLive, keys.MatchesRead), e.matches),
		route.Define(row("/standings", "The tables of a competition.", route.AgeLive, keys.StandingsRead), e.standings),
		route.Define(row("/groups", "The groups of a competition.", route.Age, keys.CompetitionsRead), e.groups),
		route.Define(windowed(row("/teams", "The teams of a competition.", route.Age, keys.TeamsRead)), e.teams),
		route.Define(windowed(row("/players", "The players of a competition.", route.Age, keys.PlayersRead)), e.players),
		route.Define(row("/statistics", "A competition in numbers.", route.AgeLive, keys.CompetitionsRead, keys.PlayersRead), e.statistics),
		route.Define(row("/top-scorers", "The players of a competition by goals, assists or appearances.", route.AgeLive, keys.PlayersRead), e.scorers),
		route.Define(row("/cards", "The cards of a competition by player or team.", route.AgeLive, keys.PlayersRead), e.cards),
	}
}

// competition is /v1/tournaments/{id}.
func (e Endpoints) competition(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.TournamentsCompetitionReply], error) {
	c, err := e.Sports.Competition(ctx, call.Viewer(), call.ID, p.Season.Season)
	if err != nil {
		return route.Data[wire.TournamentsCompetitionReply]{}, err
	}
	return route.Data[wire.TournamentsCompetitionReply]{Data: wire.TournamentsCompetitionReply{Competition: wire.CompetitionDetailOf(c)}}, nil
}

// standings is /v1/tournaments/{id}/standings.
func (e Endpoints) standings(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.Standings], error) {
	c, tables, err := e.Sports.Tables(ctx, call.Viewer(), call.ID, p.Season.Season)
	if err != nil {
		return route.Data[wire.Standings]{}, err
	}
	return route.Data[wire.Standings]{Data: wire.StandingsOf(c, tables)}, nil
}

// groups is /v1/tournaments/{id}/groups.
func (e Endpoints) groups(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.Groups], error) {
	g, err := e.Sports.Groups(ctx, call.Viewer(), call.ID, p.Season.Season)
	if err != nil {
		return route.Data[wire.Groups]{}, err
	}
	return route.Data[wire.Groups]{Data: wire.GroupsOf(g.Competition, g.Seasons, g.Groups)}, nil
}

// statistics is /v1/tournaments/{id}/statistics.
func (e Endpoints) statistics(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.CompetitionStatistics], error) {
	s, err := e.Sports.CompetitionSeason(ctx, call.Viewer(), call.ID, p.Season.Season)
	if err != nil {
		return route.Data[wire.CompetitionStatistics]{}, err
	}
	return route.Data[wire.CompetitionStatistics]{Data: e.Players.CompetitionStatistics(s.Competition, s.Numbers, s.Players)}, nil
}
