// Package openapitest checks responses against the OpenAPI document, in tests: a
// body with an undocumented field, a status that the operation does not list, or
// a header that is missing or malformed fails the test.
//
// A JSON Schema 2020-12 validator compiles each schema of the document's JSON once.
//
// # Invariants
//
//   - Only tests import this package: neither the service nor the command contains a
//     validator.
//   - Every response is checked, including those to requests that match no operation:
//     an unknown path, a method other than GET and HEAD, OPTIONS.
//   - A request that got a 200 is checked as well: the document must not forbid what
//     the service accepts. Refused requests are not checked.
package openapitest
