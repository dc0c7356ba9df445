// Package teams is the endpoints below /v1/teams/{id}: one team entry, its
// players and its matches.
package teams

import (
	"context"
	"time"

	"touchline/shared/endpoints/scope"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/kinds"
	"touchline/shared/store/list"
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

// matchesParams are the parameters of a team's matches.
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
			Group: route.GroupTeams, Path: "/v1/teams/{id}" + path,
			Scopes: []keys.Scope{scope}, Summary: summary, Cache: old,
		}
	}
	return []route.Operation{
		route.Define(row("", keys.TeamsRead, "A team.", age), later[route.None](e)),
		route.Define(row("/players", keys.PlayersRead, "The players of a team.", age), e.players),
		route.Define(row("/matches", keys.MatchesRead, "The matches of a team, or of all teams of a club.", ageLive), later[matchesParams](e)),
		route.Define(row("/statistics", keys.TeamsRead, "A team in numbers.", ageLive), later[route.Season](e)),
	}
}

// players is /v1/teams/{id}/players, by number, then id (D15).
func (e Endpoints) players(ctx context.Context, call route.Call, p route.Paging) (route.List[wire.SquadPlayer], error) {
	squad := store.Squad(sport.ID(call.ID))
	snap, err := e.find(ctx, call, list.HeadKeys(squad, false)...)
	if err != nil {
		return route.List[wire.SquadPlayer]{}, err
	}
	page := &sports.Page[store.PlayerEntry]{Kind: kinds.Squads(), Request: list.Request[store.PlayerEntry]{
		List: squad, Offset: p.Offset(), Limit: p.Limit,
	}}
	if err := snap.Read(ctx, page); err != nil {
		return route.List[wire.SquadPlayer]{}, err
	}
	items := make([]wire.SquadPlayer, 0, len(page.Entries))
	for i := range page.Entries {
		items = append(items, e.Players.Squad(&page.Entries[i]))
	}
	return route.NewList(items, p, page.Total), nil
}

// find makes sure that the team is in the key's scope, and reads what is to be
// read together with it. A club's id is not a team's (D26).
func (e Endpoints) find(ctx context.Context, call route.Call, with ...store.Key) (*sports.Snapshot, error) {
	id, err := scope.ID(call)
	if err != nil {
		return nil, err
	}
	snap, key := e.Sports.Open(), store.TeamKey(id)
	if err := snap.Fetch(ctx, append(with, key)...); err != nil {
		return nil, err
	}
	_, err = scope.Find[store.TeamRecord](snap, call, key)
	return snap, err
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
