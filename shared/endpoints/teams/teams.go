// Package teams is the endpoints below /v1/teams/{id}: one team entry, its
// players, its numbers and its matches. For the matches the id may be a club's,
// which stands for the club's team entries (D26).
package teams

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
	row := endpoints.Rows(route.GroupTeams, "/v1/teams/{id}")
	return []route.Operation{
		route.Define(row("", "A team.", route.Age, keys.TeamsRead), e.team),
		route.Define(row("/players", "The players of a team.", route.Age, keys.PlayersRead), e.players),
		route.Define(row("/matches", "The matches of a team, or of all teams of a club.", route.AgeLive, keys.MatchesRead), e.matches),
		route.Define(row("/statistics", "A team in numbers.", route.AgeLive, keys.TeamsRead), e.statistics),
	}
}

// team is /v1/teams/{id}.
func (e Endpoints) team(ctx context.Context, call route.Call, _ route.None) (route.Data[wire.TeamsReply], error) {
	t, players, err := e.Sports.Team(ctx, call.Viewer(), call.ID)
	return endpoints.Data(err, func() wire.TeamsReply { return wire.TeamsReply{Team: wire.TeamDetailOf(t, players)} })
}

// players is /v1/teams/{id}/players.
func (e Endpoints) players(ctx context.Context, call route.Call, p route.Paging) (route.List[wire.SquadPlayer], error) {
	page, err := e.Sports.Squad(ctx, call.Viewer(), call.ID, p.Offset(), p.Limit)
	return route.ListOf(page.Entries, e.Players.Squad, p, page.Total), err
}

// statistics is /v1/teams/{id}/statistics.
func (e Endpoints) statistics(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.TeamStatistics], error) {
	t, season, err := e.Sports.TeamSeason(ctx, call.Viewer(), call.ID, p.Season)
	return endpoints.Data(err, func() wire.TeamStatistics { return wire.TeamStatisticsOf(&t.TeamRef, p.Season, season) })
}

// matchList is the reply of matches: the list has no competition, its items do.
type matchList = route.ListIn[wire.Competition, wire.ListedMatch]

// What meta.kind says the id is of (D26).
const (
	kindTeam = "team"
	kindClub = "club"
)

// matches is /v1/teams/{id}/matches. An id that is no team's in the scope may be
// a club's (D26).
func (e Endpoints) matches(ctx context.Context, call route.Call, p endpoints.MatchesParams) (matchList, error) {
	page, err := e.Sports.TeamMatches(ctx, call.Viewer(), call.ID, p.Filter(), p.Offset(), p.Limit)
	if err != nil {
		return matchList{}, err
	}
	meta := &route.Meta{Kind: kindTeam}
	if page.Club != nil {
		meta.Kind = kindClub
		if page.Club.Truncated {
			meta.Truncated, meta.CompetitionsIncluded = true, page.Club.Included
		}
	}
	return matchList{List: route.ListOf(page.Entries, wire.ListedMatchOf, p.Paging, page.Total), Meta: meta}, nil
}
