// Package openapi writes the service's OpenAPI 3.1 document from the endpoint
// table: paths and parameters from the operations, bodies from their reply
// types. Nothing about a route is written here a second time; what is written
// here is what Go's types cannot say (values.go, field.go) and what holds for
// every route (answer.go, signing.go).
//
// examples.json has a request to each route with its answer; the API scripts
// (package endpoints/scripts) write it, and hold it to what the service answers.
// The code samples use the kits that `touchline kit` prints.
//
// openapi.json is the document as last published. A test fails where it is
// stale, another where it changed and Version did not; `make golden` writes it
// again. testdata/released.json keeps the hash of every version, changes.md says what
// changed with it.
//
// # From types to schemas
//
//   - A field is there and not null; a pointer may be null; a field with
//     omitempty or omitzero may be missing and is then not null (D32). A slice is
//     never null, nor are its items, nor is data of an envelope.
//   - A body holds nothing that is not documented: additionalProperties is false
//     everywhere.
//   - A named struct is a component, called by its name where it is exported and
//     by package and name where it is not. Embedded structs are flattened, as
//     encoding/json does; type parameters make no component.
//   - A struct with a MarshalJSON of its own is one of its exported fields.
//   - The tags of reply fields are those of parameters: doc, enum, min, max.
//     values.go and field.go say the same for types that have no tags.
//
// # Invariants
//
//   - The same table gives the same bytes.
//   - A string type of package sport has its value set in values.go, in full, and
//     a note of field.go about a type's field names one that exists: a test fails
//     otherwise.
//   - Only tests import openapitest, which checks responses against the document.
package openapi
