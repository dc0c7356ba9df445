// Package groups is the whole route table of the contract: all route groups.
package groups

import (
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/matches"
	"touchline/shared/endpoints/organizations"
	"touchline/shared/endpoints/ping"
	"touchline/shared/endpoints/players"
	"touchline/shared/endpoints/teams"
	"touchline/shared/endpoints/tournaments"
	"touchline/shared/route"
)

// Table is the route table of all groups, in the order of the contract.
func Table(d endpoints.Deps) *route.Table { return route.NewTable(Operations(d)...) }

// Operations are the operations of all groups, in the order of the contract.
func Operations(d endpoints.Deps) []route.Operation {
	var operations []route.Operation
	for _, g := range route.Groups() {
		operations = append(operations, Of(g)(d)...)
	}
	return operations
}

// Of is the function that makes the operations of a group.
func Of(g route.Group) func(endpoints.Deps) []route.Operation {
	switch g {
	case route.GroupPing:
		return ping.Operations
	case route.GroupOrganizations:
		return organizations.Operations
	case route.GroupTournaments:
		return tournaments.Operations
	case route.GroupMatches:
		return matches.Operations
	case route.GroupTeams:
		return teams.Operations
	case route.GroupPlayers:
		return players.Operations
	}
	panic("no route group " + g)
}
