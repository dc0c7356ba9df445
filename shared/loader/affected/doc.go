// Package affected finds the records whose projection a load may change: what the load
// brings, and what shows something of that, such as the matches of a renamed team.
//
// Find works down the hierarchy: organizations, competitions, teams, matches,
// players, and what is computed from several matches. At each level it fetches
// what depends on the records above that changed in a way that shows there.
// Then it fetches what the projections of all these look up.
//
// # Invariants
//
//   - Records may hold more than what changes, which costs reads, never less.
//   - Afterwards the world holds all that their projections look up, in both
//     views.
package affected
