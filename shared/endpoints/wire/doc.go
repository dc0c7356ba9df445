// Package wire is the resources of the contract as JSON: what a reference, an
// organization, a competition, a match, a player look like wherever they appear
// in a response, and how each is made from a record of the Sports table.
//
// # Tags
//
// The OpenAPI document is generated from these types. What the Go type of a field
// does not say is in the field's tags:
//
//	doc     what the field means
//	enum    the values of a string, or of the strings in a list
//	format  of a string, such as uri-reference
//	min     the smallest integer; 0 without the tag
//	max     the largest integer
//	signed  "true" for an integer that may be negative
//	const   the only value, of a string or an integer
//	items   the greatest length of a list
//
// A field whose name says everything needs none. A test of package openapi has the
// list of those names, and fails for a field that is not on it and has no tags.
//
// # Invariants
//
//   - A field that a resource has is always there: what is not known is null,
//     never left out (D32).
//   - Nothing here decides who may see what. A reference that is not to be named
//     (D40) is empty in the record already; only parentId depends on who asks
//     (D25), and its caller says so.
package wire
