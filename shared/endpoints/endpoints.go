// Package endpoints is the contract's routes. Each route group is a package
// below this one, with one function, Operations, that makes the group's part of
// the route table from Deps; package groups puts them together.
//
// A Lambda function serves one group and imports no other: a group's code is up
// to a third of a megabyte.
package endpoints

import (
	"touchline/shared/endpoints/wire"
	"touchline/shared/store/reader"
)

// Deps are what the groups need. The zero Deps are enough for a route table that
// serves no request.
type Deps struct {
	Sports  *reader.Reader
	Players wire.Players
}
