// Package teams is the endpoints below /v1/teams/{id}: one team entry, its
// players, its numbers and its matches. For the matches the id may be a club's,
// which stands for the club's team entries (D26).
package teams

import (
	"context"
	"time"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/scope"
	"touchline/shared/keys"
	"touchline/shared/route"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Endpoints are the handlers of the group.
type Endpoints endpoints.Deps

// matchesParams are the parameters of a team's matches.
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
			Group: route.GroupTeams, Path: "/v1/teams/{id}" + path,
			Scopes: []keys.Scope{scope}, Summary: summary, Cache: old,
		}
	}
	return []route.Operation{
		route.Define(row("", keys.TeamsRead, "A team.", route.Age), e.team),
		route.Define(row("/players", keys.PlayersRead, "The players of a team.", route.Age), e.players),
		route.Define(row("/matches", keys.MatchesRead, "The matches of a team, or of all teams of a club.", route.AgeLive), e.matches),
		route.Define(row("/statistics", keys.TeamsRead, "A team in numbers.", route.AgeLive), e.statistics),
	}
}

// find gives the team where it is in the key's scope, and reads what is to be
// read together with it. A club's id is not a team's (D26).
func (e Endpoints) find(ctx context.Context, call route.Call, with ...store.Key) (*records.Snapshot, *records.TeamRecord, error) {
	id, err := scope.ID(call)
	if err != nil {
		return nil, nil, err
	}
	snap, key := e.Sports.Open(), records.TeamKey(id)
	if err := snap.Fetch(ctx, append(with, key)...); err != nil {
		return nil, nil, err
	}
	t, err := scope.Find[records.TeamRecord](snap, call, key)
	return snap, t, err
}
