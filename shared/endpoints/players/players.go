// Package players is the endpoints below /v1/players/{id}: one player, its
// numbers and its matches.
package players

import (
	"context"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/route"
	"touchline/shared/store/reader"
)

// Endpoints are the handlers of the group.
type Endpoints endpoints.Deps

// Operations are the group's rows of the route table.
func Operations(d endpoints.Deps) []route.Operation {
	e := Endpoints(d)
	row := endpoints.Rows(route.GroupPlayers, "/v1/players/{id}")
	return []route.Operation{
		route.Define(row("", "A player.", route.Age, keys.PlayersRead), e.player),
		route.Define(row("/statistics", "A player in numbers.", route.AgeLive, keys.PlayersRead), e.statistics),
		route.Define(row("/matches", "The matches of a player.", route.AgeLive, keys.MatchesRead), e.matches),
	}
}

// player is /v1/players/{id}.
func (e Endpoints) player(ctx context.Context, call route.Call, _ route.None) (route.Data[wire.PlayersReply], error) {
	p, err := e.Sports.Player(ctx, call.Viewer(), call.ID)
	return endpoints.Data(err, func() wire.PlayersReply { return wire.PlayersReply{Player: e.Players.Detail(&p.Player)} })
}

// statistics is /v1/players/{id}/statistics.
func (e Endpoints) statistics(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.PlayerStatistics], error) {
	player, season, err := e.Sports.PlayerSeason(ctx, call.Viewer(), call.ID, p.Season)
	return endpoints.Data(err, func() wire.PlayerStatistics { return e.Players.Statistics(&player.Player, p.Season, season) })
}

// matches is /v1/players/{id}/matches.
func (e Endpoints) matches(ctx context.Context, call route.Call, p endpoints.MatchesParams) (route.List[wire.PlayedMatch], error) {
	page, err := e.Sports.PlayerMatches(ctx, call.Viewer(), call.ID, p.Filter(), p.Offset(), p.Limit)
	show := func(x *reader.Played) wire.PlayedMatch { return wire.PlayedMatchOf(x.Match, &x.Performance) }
	return route.ListOf(page.Entries, show, p.Paging, page.Total), err
}
