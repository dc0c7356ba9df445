// Package world is the part of the federation that a load touches, in two views:
// Before, as the table holds it, and After, as it will be once the load is done.
//
// Entities hold the records of a kind by id, an Index which of them belong
// together (the matches of a team, the children of an organization). Each has
// what the table holds and, apart from that, what the load changes; a view is
// read from both. A Fetcher fills them from the table; nothing is looked up
// implicitly, and what was not fetched counts as not existing.
//
// What follows from records without a place in the table of its own is computed
// here as well: who sees an organization (hierarchy.go), which season of a
// competition is the current one (current.go), in whose line-ups a player is
// (appearance.go), and what a match adds to statistics (outcome.go).
//
// # Invariants
//
//   - What a Fetcher brought into the view before is never changed.
//   - A record is fetched at most once.
package world
