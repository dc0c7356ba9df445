// Package endpoints is the contract's routes. Each route group is a package
// below this one, with one function, Operations, that makes the group's part of
// the route table from Deps; package groups puts them together.
//
// A Lambda function serves one group and imports no other: a group's code is up
// to a third of a megabyte.
package endpoints

import (
	"time"

	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/route"
	"touchline/shared/store/reader"
)

// Deps are what the groups need. The zero Deps are enough for a route table that
// serves no request.
type Deps struct {
	Sports  *reader.Reader
	Players wire.Players
}

// MatchesParams are the parameters of a list of matches, in the order of the
// contract.
type MatchesParams struct {
	route.Season
	route.TimeRange
	route.MatchStatus
	route.Paging
}

// Filter is what the parameters select.
func (p MatchesParams) Filter() reader.MatchFilter {
	return reader.MatchFilter{Season: p.Season.Season, Status: p.Status, From: p.From.Time(), To: p.To.Time()}
}

// Rows makes the rows of a group, whose paths begin with path: of what is below it, what it
// shows, how old that may be, and the scopes that it needs.
func Rows(group route.Group, path string) func(below, summary string, age time.Duration, scopes ...keys.Scope) route.Row {
	return func(below, summary string, age time.Duration, scopes ...keys.Scope) route.Row {
		return route.Row{Group: group, Path: path + below, Scopes: scopes, Summary: summary, Cache: age}
	}
}

// Windowed is the row of a list to which the page window applies.
func Windowed(row route.Row) route.Row {
	row.Window = true
	return row
}

// Data is the reply with what show makes of what was read, unless reading failed.
func Data[T any](err error, show func() T) (route.Data[T], error) {
	if err != nil {
		return route.Data[T]{}, err
	}
	return route.Data[T]{Data: show()}, nil
}
