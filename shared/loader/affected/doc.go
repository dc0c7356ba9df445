// Package affected finds the records whose projection a load may change: what the load
// brings, and what shows something of that, such as the matches of a renamed team.
//
// What shows what is a table of edges (edges.go): from a set of records, along a relation,
// to another set, where one of some fields differs. The walk goes down the hierarchy:
// organizations, competitions, teams, matches, players, and what is computed from several
// matches. It fetches what it comes along, and after the edges of each kind what the
// projections of its records look up. Few things are no relation: what follows from the
// hierarchy and from line-ups (relation.go), and what matches add to sums (results.go).
//
// # Invariants
//
//   - Records may hold more than what changes, which costs reads, never less.
//   - Afterwards the world holds all that their projections look up, in both
//     views.
package affected
