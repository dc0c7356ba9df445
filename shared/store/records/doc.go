// Package records is the layout of the Sports table: where its items lie
// (keys.go), what they hold (a file for each kind), which lists
// there are (lists.go), and how these are ordered and filtered (schemas.go).
// Package loader writes it, package reader reads it.
//
// Lists by name are ordered by the collation of names, which only the loader
// links in; whoever only reads a list passes no order for it.
//
// # Invariants
//
//   - Every key and every name of a list is built here and nowhere else.
//   - A record says itself which keys see it (Scope).
//   - The Key of a record is the operator's own, where the record was ever given by it
//     (dataset.md, Ids). No response shows it.
package records
