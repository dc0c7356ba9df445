// Package players is the endpoints below /v1/players/{id}: one player, its
// numbers and its matches.
package players

import (
	"context"
	"time"

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
	row := func(path string, scope keys.Scope, summary string, old time.Duration) route.Row {
		return route.Row{
			Group: route.GroupPlayers, Path: "/v1/players/{id}" + path,
			Scopes: []keys.Scope{scope}, Summary: summary, Cache: old,
		}
	}
	return []route.Operation{
		route.Define(row("", keys.PlayersRead, "A player.", route.Age), e.player),
		route.Define(row("/statistics", keys.PlayersRead, "A player in numbers.", route.AgeLive), e.statistics),
		route.Define(row("/matches", keys.MatchesRead, "The matches of a player.", route.AgeLive), e.matches),
	}
}

// player is /v1/players/{id}.
func (e Endpoints) player(ctx context.Context, call route.Call, _ route.None) (route.Data[wire.PlayersReply], error) {
	p, err := e.Sports.Player(ctx, call.Viewer(), call.ID)
	if err != nil {
		return route.Data[wire.PlayersReply]{}, err
	}
	return route.Data[wire.PlayersReply]{Data: wire.PlayersReply{Player: e.Players.Detail(&p.Player)}}, nil
}

// statistics is /v1/players/{id}/statistics.
func (e Endpoints) statistics(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.PlayerStatistics], error) {
	player, season, err := e.Sports.PlayerSeason(ctx, call.Viewer(), call.ID, p.Season)
	if err != nil {
		return route.Data[wire.PlayerStatistics]{}, err
	}
	return route.Data[wire.PlayerStatistics]{Data: e.Players.Statistics(&player.Player, p.Season, season)}, nil
}

// matches is /v1/players/{id}/matches.
func (e Endpoints) matches(ctx context.Context, call route.Call, p endpoints.MatchesParams) (route.List[wire.PlayedMatch], error) {
	page, err := e.Sports.PlayerMatches(ctx, call.Viewer(), call.ID, p.Filter(), p.Offset(), p.Limit)
	show := func(x *reader.Played) wire.PlayedMatch { return wire.PlayedMatchOf(x.Match, &x.Performance) }
	return route.ListOf(page.Entries, show, p.Paging, page.Total), err
}
