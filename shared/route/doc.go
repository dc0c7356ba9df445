// Package route is the table of the service's operations, as data: what each
// one is called, which scopes it asks for, which parameters it takes and what
// it answers. The pipeline serves from it; the gateway's routes, the OpenAPI
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
//   - A query is judged in the order of D1 step 17, D8 and D34: first every key
//     and empty value in the order sent, then every value in the order sent, then
//     the rules across parameters. The first fault answers and names its field.
//   - A parameter that another operation has and this one has not is unknown.
//   - A wrong row or tag panics in Define: it is a mistake of the program, found
//     by whatever builds the table, which every test of it does.
package route
