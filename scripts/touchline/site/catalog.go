package site

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
	"touchline/shared/problem"
	"touchline/shared/route"
)

// refusal is an error code and what to do about it.
type refusal struct {
	Status     int
	Code       problem.Code
	When, ToDo string
}

// refusals are all error codes, by status.
func refusals() []refusal {
	var all []refusal
	for _, code := range problem.Codes() {
		when, todo := advice(code)
		all = append(all, refusal{code.Status(), code, when, todo})
	}
	slices.SortStableFunc(all, func(a, b refusal) int { return a.Status - b.Status })
	return all
}

// advice says when a code is sent, and what callers can do about it.
func advice(code problem.Code) (when, todo string) {
	switch code {
	case problem.BadRequest:
		return "The query has an unknown, repeated or empty key or a wrong value; the path and query are longer than 2,048 bytes or have a `%` without two hex digits; the request has a body.",
			"Mend the parameter that `details.field` names, and keep to `details.limit`: [the allowed values](#parameters). The same request is refused again."
	case problem.Unauthorized:
		return "A header is missing or malformed, the key is unknown, revoked or expired, the timestamp is more than 300 seconds off, the signature is wrong, or the nonce was used before. Which, is not said; `reason` is for people.",
			"Compare your clock with the `Date` header of the response. Check your canonical string with the [checker](check.html). Take a new nonce for every attempt. If that does not help, send the federation the `X-Request-Id`: it can see which mistake it was."
	case problem.Forbidden:
		return "Your address is not on the key's list, or `includeDescendants=true` was sent with a key without descendants.",
			"Send from a server whose address the federation knows, or ask it to change the key."
	case problem.ScopeMissing:
		return "The key lacks a scope that the route needs. `/v1/ping` lists the scopes of a key.",
			"Ask the federation for the scope."
	case problem.ProRequired:
		return "The organization of the key is inactive, or has no PRO plan.",
			"Ask the federation. Stop asking until it has settled that."
	case problem.NotFound:
		return "The path does not exist, the id is unknown, malformed, of another type, hidden, or outside what the key sees. All look the same.",
			"Look the id up again in a list. An id that was there yesterday and is not today is gone, or was hidden: take it off your pages."
	case problem.MethodNotAllowed:
		return "The method is neither GET nor HEAD.",
			"Send GET. The API changes nothing."
	case problem.ScopeTooLarge:
		return "`includeDescendants=true` ranges over more organizations than one list may: `details.max`.",
			"Ask in parts: list the associations, then ask for each with `associationId`. Where `details.requiresOneOf` is there, send one of those filters."
	case problem.RateLimited:
		return "More than about 60 requests of the key within a minute, or too many failed authentications from your address.",
			"Wait as many seconds as `Retry-After` says, then send again with a new nonce. See [Limits](limits.html)."
	case problem.QuotaExceeded:
		return "The organization's requests of the month are used up.",
			"Serve what you have. `Retry-After` counts to the first of the next month, UTC. Ask less often, or ask the federation for a larger quota."
	case problem.InternalError:
		return "A fault of the service.",
			"Try again a minute later, three times at most. Then report the `X-Request-Id`."
	case problem.IntegrationsUnavailable, problem.ServiceUnavailable:
		return "A part of the service that is needed to admit requests does not answer for the moment.",
			"Try again after 1, 2 and 4 seconds, each time with a new nonce. Serve what you have meanwhile."
	}
	return "", ""
}

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
