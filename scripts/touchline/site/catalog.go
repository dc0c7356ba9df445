package site

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
	"touchline/shared/route"
)

// group is the routes of one kind.
type group struct {
	Name   string
	Routes []routeRow
}

// routeRow is a route in the overview.
type routeRow struct {
	Group, ID, Path, Summary string
	Scopes                   []string
	Example                  string // the target of its example
}

// routes are all routes of the document, by group.
func routes(d *openapi.Document) []group {
	var all []group
	examples := openapi.Examples()
	for _, g := range route.Groups() {
		rows := group{Name: string(g)}
		for o := range groups.Table(endpoints.Deps{}).All() {
			if o.Group != g {
				continue
			}
			row := routeRow{Group: string(g), ID: d.Paths.At(o.Path).Get.OperationID, Path: o.Path, Summary: o.Summary, Example: examples[o.Path].Target}
			for _, s := range o.Scopes {
				row.Scopes = append(row.Scopes, string(s))
			}
			rows.Routes = append(rows.Routes, row)
		}
		all = append(all, rows)
	}
	return all
}

// indented is the example body of a route, indented for people.
func indented(path string) (string, error) {
	var b bytes.Buffer
	err := json.Indent(&b, openapi.Examples()[path].Body, "", "  ")
	return b.String(), err
}

// parameter is what routes take under a name.
type parameter struct {
	Name, Takes, Default string
	Paths                []string // of those routes; none: all that have the name
}

// taken are the query parameters of all routes, by name. A name that stands for
// different values has a row for each.
func taken() []parameter {
	var all []parameter
	for o := range groups.Table(endpoints.Deps{}).All() {
		for _, p := range o.Params {
			at := slices.IndexFunc(all, func(r parameter) bool {
				return r.Name == p.Name && r.Takes == p.Takes() && r.Default == p.Default
			})
			if at < 0 {
				all, at = append(all, parameter{Name: p.Name, Takes: p.Takes(), Default: p.Default}), len(all)
			}
			all[at].Paths = append(all[at].Paths, o.Path)
		}
	}
	slices.SortStableFunc(all, func(a, b parameter) int { return strings.Compare(a.Name, b.Name) })
	for i := range all {
		if alone := (i == 0 || all[i-1].Name != all[i].Name) && (i+1 == len(all) || all[i+1].Name != all[i].Name); alone {
			all[i].Paths = nil
		}
	}
	return all
}
