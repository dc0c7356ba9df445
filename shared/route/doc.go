// Package route is the table of the service's operations, as data: the
// name of each, the scopes that it needs, its parameters and its reply. The pipeline serves from it; the gateway's routes, the OpenAPI
// document and the tests read it, so that nothing about a route is written
// twice.
//
// An operation is a value made by Define from a Row and a handler. Parameters
// are a struct whose tags are read once, when the operation is defined; a
// handler whose parameters or reply differ from the definition does not compile.
//
// Invariants
//
//   - Matching is on the path as it arrived, segment by segment, with nothing
//     decoded or cleaned (D1 step 5). {alias} is one of four words, {id} any one
//     non-empty segment; whether it is an id is the handler's question (step 19).
//   - A query is checked in the order of D1 step 17, D8 and D34: first every key
//     and empty value in the order sent, then every value in the order sent, then
//     the rules across parameters. The first fault decides, and the response names
//     its field.
//   - A parameter of another operation is unknown to this one.
//   - A wrong row or tag panics in Define: it is a mistake of the program, found
//     by whatever builds the table, which every test of it does.
package route
