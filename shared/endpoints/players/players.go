// Package players is the endpoints below /v1/players/{id}: one player, its
// numbers and its matches.
package players

import (
	"context"
	"time"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/scope"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Endpoints are the handlers of the group.
type Endpoints endpoints.Deps

// matchesParams are the parameters of a player's matches.
type matchesParams struct {
	route.Season
	route.TimeRange
	route.MatchStatus
	route.Paging
}

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

// reply is the data of player.
type reply struct {
	Player wire.PlayerDetail `json:"player"`
}

// player is /v1/players/{id}.
func (e Endpoints) player(ctx context.Context, call route.Call, _ route.None) (route.Data[reply], error) {
	_, p, err := e.find(ctx, call)
	if err != nil {
		return route.Data[reply]{}, err
	}
	return route.Data[reply]{Data: reply{Player: e.Players.Detail(&p.Player)}}, nil
}

// statistics is /v1/players/{id}/statistics: of the season asked for, else of
// the player's team entry (D39), as far as its matches are in the key's scope
// (D24). A season without a record is one without matches (D16).
func (e Endpoints) statistics(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.PlayerStatistics], error) {
	tag := records.OwnSeason
	if p.Season != 0 {
		tag = records.SeasonTag(p.Season)
	}
	key := records.PlayerSeasonKey(sport.ID(call.ID), tag)
	snap, player, err := e.find(ctx, call, key)
	if err != nil {
		return route.Data[wire.PlayerStatistics]{}, err
	}
	numbers, err := records.Record[records.PlayerSeasonRecord](snap, key)
	if err != nil {
		return route.Data[wire.PlayerStatistics]{}, err
	}
	var seen *records.PlayerSeason
	if numbers != nil {
		seen = numbers.SeenBy(call.Organization, call.Descendants)
	}
	return route.Data[wire.PlayerStatistics]{Data: e.Players.Statistics(&player.Player, p.Season, seen)}, nil
}

// find gives the player, in the key's scope when the team is (D24), and reads
// what is to be read together with it.
func (e Endpoints) find(ctx context.Context, call route.Call, with ...store.Key) (*records.Snapshot, *records.PlayerRecord, error) {
	id, err := scope.ID(call)
	if err != nil {
		return nil, nil, err
	}
	snap, key := e.Sports.Open(), records.PlayerKey(id)
	if err := snap.Fetch(ctx, append(with, key)...); err != nil {
		return nil, nil, err
	}
	p, err := scope.Find[records.PlayerRecord](snap, call, key)
	return snap, p, err
}
