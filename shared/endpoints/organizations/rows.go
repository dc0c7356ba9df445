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
	row := func(path string, scope keys.Scope, summary string) route.Row {
		return route.Row{
			Group: route.GroupOrganizations, Path: "/v1/{alias}/{id}" + path,
			Scopes: []keys.Scope{scope}, Summary: summary, Cache: route.Age,
		}
	}
	list := func(path string, scope keys.Scope, summary string) route.Row {
		r := row(path, scope, summary)
		r.Window = true
		return r
	}
	return []route.Operation{
		route.Define(row("", keys.OrganizationsRead, "An organization."), e.organization),
		route.Define(row("/tree", keys.OrganizationsRead, "An organization and up to three levels below it."), e.tree),
		route.Define(list("/associations", keys.OrganizationsRead, "The associations of an organization."), e.associations),
		route.Define(list("/clubs", keys.OrganizationsRead, "The clubs of an organization."), e.clubs),
		route.Define(list("/competitions", keys.CompetitionsRead, "The competitions of an organization."), e.competitions),
		route.Define(list("/teams", keys.TeamsRead, "The teams of an organization."), e.teams),
		route.Define(list("/players", keys.PlayersRead, "The players of an organization."), e.players),
	}
}
