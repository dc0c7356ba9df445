// Package openapi writes the service's OpenAPI 3.1 document from the route
// table: paths and parameters from the operations, bodies from their reply
// types, and what a field means from its tags. Nothing about a route is repeated
// here; the package itself has what Go's types cannot express (values.go) and
// what applies to all routes (frame.json, refusals.json).
//
// examples.json has a request to each route with its response. The API scripts
// (package endpoints/scripts) write it, and compare it with what the service
// returns.
//
// openapi.json is the document as last published. One test fails if it is stale,
// another if it has changed and Version has not; `make golden` rewrites it.
// testdata/released.json has the hash of every released version; changes.md says what
// changed.
//
// A library does not make this smaller. kin-openapi's openapi3gen writes OpenAPI 3.0,
// and swaggest/openapi-go with jsonschema-go would need an interceptor for each rule
// below: null by pointer, required by omitempty, open sets, one of several fields.
//
// # From types to schemas
//
//   - A field is always there and not null. A pointer may be null; a field with
//     omitempty or omitzero may be missing, but is not null (D32). A slice is never
//     null, nor are its items, nor is data in an envelope.
//   - Bodies are open: objects may have fields that the document does not name, and
//     a set of values is an x-extensible-enum. Strict is the document with
//     additionalProperties false and with enums: the service returns nothing else
//     today, and tests hold it to that.
//   - A named struct is a component. If it is exported the component has its name,
//     otherwise that of the package and the type. Embedded structs are flattened, as
//     in encoding/json. Generic types are not components.
//   - A struct with its own MarshalJSON is one of its exported fields (oneOf). Where
//     these are lists it is one list, with items of one of their kinds: generators
//     tell objects apart by their fields, but not lists.
//   - The tags of fields are those that package wire documents.
//
// # Invariants
//
//   - The same table gives the same bytes.
//   - The values of each string type of package sport are in values.go, and every
//     field has a tag unless its name says everything: tests fail otherwise.
//   - The tests of package endpoints/scripts hold every response to the document.
package openapi
