// Package endpoints is the whole endpoint table of the contract: the groups,
// each a package of its own, put together.
package endpoints

import (
	"touchline/shared/endpoints/matches"
	"touchline/shared/endpoints/organizations"
	"touchline/shared/endpoints/ping"
	"touchline/shared/endpoints/players"
	"touchline/shared/endpoints/teams"
	"touchline/shared/endpoints/tournaments"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/store/records"
)

// Deps are what the endpoints need.
type Deps struct {
	Sports *records.Reader
	// DefaultPhoto is the URL of the picture of players who have none.
	DefaultPhoto string
}

// Table is all operations, in the order of the contract.
func Table(d Deps) *route.Table {
	var operations []route.Operation
	for _, g := range route.Groups() {
		operations = append(operations, Group(d, g)...)
	}
	return route.NewTable(operations...)
}

// Group is the operations of a group: what one function serves.
func Group(d Deps, g route.Group) []route.Operation {
	persons := wire.Players{DefaultPhoto: d.DefaultPhoto}
	switch g {
	case route.GroupPing:
		return ping.Operations()
	case route.GroupOrganizations:
		return organizations.Endpoints{Sports: d.Sports, Players: persons}.Operations()
	case route.GroupTournaments:
		return tournaments.Endpoints{Sports: d.Sports, Players: persons}.Operations()
	case route.GroupMatches:
		return matches.Endpoints{Sports: d.Sports, Players: persons}.Operations()
	case route.GroupTeams:
		return teams.Endpoints{Sports: d.Sports, Players: persons}.Operations()
	case route.GroupPlayers:
		return players.Endpoints{Sports: d.Sports, Players: persons}.Operations()
	}
	return nil
}
