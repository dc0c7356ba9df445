// Package wire is the resources of the contract as JSON: what a reference, an
// organization, a competition, a match, a player look like wherever they appear
// in an answer, and how each is made from a record of the Sports table.
//
// Invariants
//
//   - A field that a resource has is always there: what is not known is null,
//     never left out (D32).
//   - Nothing here decides who may see what. A reference that is not to be named
//     (D40) is empty in the record already; only parentId depends on who asks
//     (D25), and its caller says so.
package wire
