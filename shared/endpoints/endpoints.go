// Package endpoints is the contract's routes. Each route group is a package
// below this one, with one function, Operations, that makes the group's part of
// the route table from Deps; package groups puts them together.
//
// A Lambda function serves one group and imports no other: a group's code is up
// to a third of a megabyte.
package endpoints

import (
	"touchline/shared/endpoints/wire"
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
