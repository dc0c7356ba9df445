// Package organizations is the endpoints below /v1/{alias}/{id}: an
// organization, its tree, and the lists of what belongs to it.
//
// A handler turns its parameters into a query of the reader and the records that
// come back into wire types. Everything between the two, such as who may see
// what and how many organizations a list may range over, is the reader's.
package organizations

import (
	"touchline/shared/endpoints"
	"touchline/shared/keys"
	"touchline/shared/route"
)

// Endpoints are the handlers of the group.
type Endpoints endpoints.Deps

// Operations are the group's rows of the route table.
func Operations(d endpoints.Deps) []route.Operation {
	e := Endpoints(d)
	row := endpoints.Rows(route.GroupOrganizations, "/v1/{alias}/{id}")
	list := func(below, summary string, scope keys.Scope) route.Row {
		return endpoints.Windowed(row(below, summary, route.Age, scope))
	}
	return []route.Operation{
		route.Define(row("", "An organization.", route.Age, keys.OrganizationsRead), e.organization),
		route.Define(row("/tree", "An organization and up to three levels below it.", route.Age, keys.OrganizationsRead), e.tree),
		route.Define(list("/associations", "The associations of an organization.", keys.OrganizationsRead), e.associations),
		route.Define(list("/clubs", "The clubs of an organization.", keys.OrganizationsRead), e.clubs),
		route.Define(list("/competitions", "The competitions of an organization.", keys.CompetitionsRead), e.competitions),
		route.Define(list("/teams", "The teams of an organization.", keys.TeamsRead), e.teams),
		route.Define(list("/players", "The players of an organization.", keys.PlayersRead), e.players),
	}
}
