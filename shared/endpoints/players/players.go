// Package players is the endpoints below /v1/players/{id}: one player.
package players

import (
	"context"
	"time"

	"touchline/shared/endpoints/scope"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/store"
	"touchline/shared/store/sports"
)

// Endpoints serves the group.
type Endpoints struct {
	Sports  *sports.Reader
	Players wire.Players
}

// How old an answer may be (D10): where a live match may be in it, and else.
const (
	ageLive = 15 * time.Second
	age     = time.Minute
)

// matchesParams are the parameters of a player's matches.
type matchesParams struct {
	route.Season
	route.TimeRange
	route.MatchStatus
	route.Paging
}

// Operations are the group's rows of the endpoint table.
func (e Endpoints) Operations() []route.Operation {
	row := func(path string, scope keys.Scope, summary string, old time.Duration) route.Row {
		return route.Row{
			Group: route.GroupPlayers, Path: "/v1/players/{id}" + path,
			Scopes: []keys.Scope{scope}, Summary: summary, Cache: old,
		}
	}
	return []route.Operation{
		route.Define(row("", keys.PlayersRead, "A player.", age), e.player),
		route.Define(row("/statistics", keys.PlayersRead, "A player in numbers.", ageLive), later[route.Season](e)),
		route.Define(row("/matches", keys.MatchesRead, "The matches of a player.", ageLive), later[matchesParams](e)),
	}
}

// reply is the data of player.
type reply struct {
	Player wire.PlayerDetail `json:"player"`
}

// player is /v1/players/{id}.
func (e Endpoints) player(ctx context.Context, call route.Call, _ route.None) (route.Data[reply], error) {
	p, err := e.find(ctx, call)
	if err != nil {
		return route.Data[reply]{}, err
	}
	return route.Data[reply]{Data: reply{Player: e.Players.Detail(&p.Player)}}, nil
}

// find gives the player, in the key's scope when the team is (D24).
func (e Endpoints) find(ctx context.Context, call route.Call) (*store.PlayerRecord, error) {
	id, err := scope.ID(call)
	if err != nil {
		return nil, err
	}
	snap, key := e.Sports.Open(), store.PlayerKey(id)
	if err := snap.Fetch(ctx, key); err != nil {
		return nil, err
	}
	return scope.Find[store.PlayerRecord](snap, call, key)
}

// later serves an operation whose data is not there yet: after all checks it is
// answered notImplemented.
func later[P any](e Endpoints) func(context.Context, route.Call, P) (struct{}, error) {
	return func(ctx context.Context, call route.Call, _ P) (struct{}, error) {
		if _, err := e.find(ctx, call); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, problem.New(problem.NotImplemented)
	}
}
