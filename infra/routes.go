package main

import (
	"slices"
	"strings"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/route"
)

// gatewayRoute is a route of the gateway: ANY, for the functions answer every
// method themselves.
type gatewayRoute struct {
	key   string // as the gateway writes it, "ANY /v1/teams/{proxy+}"
	group route.Group
}

// elsewhere is the gateway's route for every path that no other has. They are
// unknown to every function; ping says so.
const elsewhere = "$default"

// routes are the gateway's: one for each first word of the route table, with
// everything below it where that has an id.
func routes() []gatewayRoute {
	var list []gatewayRoute
	seen := map[string]bool{}
	for operation := range groups.Table(endpoints.Deps{}).All() {
		head, _, below := strings.Cut(strings.TrimPrefix(operation.Path, route.Prefix), "/")
		heads := []string{head}
		if head == "{alias}" {
			heads = nil
			for _, alias := range route.Aliases() {
				heads = append(heads, string(alias))
			}
		}
		for _, head := range heads {
			key := "ANY " + route.Prefix + head
			if below {
				key += "/{proxy+}"
			}
			if !seen[key] {
				seen[key] = true
				list = append(list, gatewayRoute{key, operation.Group})
			}
		}
	}
	slices.SortFunc(list, func(a, b gatewayRoute) int { return strings.Compare(a.key, b.key) })
	return append(list, gatewayRoute{elsewhere, route.GroupPing})
}

// keysOf are the routes that a group's function serves.
func keysOf(group route.Group) []string {
	var keys []string
	for _, r := range routes() {
		if r.group == group {
			keys = append(keys, strings.TrimPrefix(r.key, "ANY "))
		}
	}
	return keys
}
