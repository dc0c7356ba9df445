// Package organizations is the endpoints below /v1/{alias}/{id}: an
// organization, its tree, and what belongs to it.
//
// A list goes in the steps of D1: who is addressed and by what it is filtered
// (ask.go, 404), how many organizations it ranges over (page.go, 422), and then
// which of the prepared lists answers it (span.go and a file per list). Most
// questions have a list of their own in the Sports table, so that a page is read
// in two round trips: the first asks for the records and, since the question
// nearly always tells, for the head of the list; the second for the page.
//
// Invariants
//
//   - Everything that is not in the key's scope answers like what does not exist
//     (D19 to D24). A list ranges over what is below the addressed organization,
//     which is in the scope as a whole.
//   - Filters only narrow, each by itself, and all of them hold for every item
//     (read-api, Endpoint rules 5; D21).
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
