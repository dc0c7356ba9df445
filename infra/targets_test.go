package main

import (
	"strings"

	"touchline/shared/route"
	"touchline/shared/sport"
)

// demo are ids of the demo federation, by the names used in paths and filters.
func demo() map[string]string {
	ids := map[string]string{}
	for name, of := range map[string]struct {
		kind sport.Kind
		key  string
	}{
		"organizations": {sport.KindOrganization, "est"},
		"federations":   {sport.KindOrganization, "est"},
		"associations":  {sport.KindOrganization, "est.north"},
		"clubs":         {sport.KindOrganization, "est.club.1"},
		"tournaments":   {sport.KindCompetition, "est.premier"},
		"teams":         {sport.KindTeam, "est.premier.club.1"},
		"players":       {sport.KindPlayer, "est.premier.club.1/1"},
		"matches":       {sport.KindMatch, "est.premier.match.15.20-4"},
	} {
		ids[name] = string(sport.IDFor(of.kind, of.key))
	}
	ids["associationId"], ids["clubId"], ids["teamId"], ids["competitionId"] = ids["associations"], ids["clubs"], ids["teams"], ids["tournaments"]
	return ids
}

// targets are requests for an operation: without parameters, with each value of
// each parameter, with all id filters at once, and for something that does not
// exist.
func targets(o route.Operation) []string {
	ids := demo()
	queries := []string{"", "includeDescendants=true&sort=-name", "season=2025", "season=1900"}
	var filters []string
	for _, p := range o.Params {
		values := map[route.Form][]string{
			route.FormInteger: {"1", "2"}, route.FormBoolean: {"true", "false"}, route.FormEnum: p.Enum,
			route.FormIdentifier: {ids[p.Name]}, route.FormInstant: {"2026-01-01"},
		}[p.Form]
		for _, v := range values {
			queries = append(queries, p.Name+"="+v)
		}
		if p.Form == route.FormIdentifier {
			filters = append(filters, p.Name+"="+ids[p.Name])
			queries = append(queries, "includeDescendants=true&"+p.Name+"="+ids[p.Name])
		}
	}
	queries = append(queries, strings.Join(filters, "&"), "includeDescendants=true&"+strings.Join(filters, "&"))

	var list []string
	for _, path := range pathsOf(o, ids) {
		for _, q := range queries {
			list = append(list, strings.TrimSuffix(path+"?"+q, "?"))
		}
	}
	return append(list, strings.NewReplacer("{alias}", "clubs", "{id}", strings.Repeat("0", sport.IDLength)).Replace(o.Path))
}

// pathsOf are the operation's paths, including that of a club as a team (D26).
func pathsOf(o route.Operation, ids map[string]string) []string {
	var paths []string
	if strings.Contains(o.Path, "{alias}") {
		for _, alias := range route.Aliases() {
			paths = append(paths, strings.NewReplacer("{alias}", string(alias), "{id}", ids[string(alias)]).Replace(o.Path))
		}
		return paths
	}
	head, _, _ := strings.Cut(strings.TrimPrefix(o.Path, route.Prefix), "/")
	paths = append(paths, strings.ReplaceAll(o.Path, "{id}", ids[head]))
	if head == "teams" {
		paths = append(paths, strings.ReplaceAll(o.Path, "{id}", ids["clubs"]))
	}
	return paths
}
