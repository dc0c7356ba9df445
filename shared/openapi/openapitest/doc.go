// Package openapitest checks responses against the OpenAPI document, in tests: a body
// with a field that is not documented, a status that the operation does not
// list, a header that is missing or of another form all fail.
//
// The document is read as a client reads it, from its JSON; its schemas are
// compiled by a JSON Schema 2020-12 validator, once each.
//
// Invariants
//
//   - Only tests import this package: what is served and the command carry no
//     validator.
//   - Every response is checked, also to requests that match no operation: an unknown path, a
//     method other than GET and HEAD, OPTIONS.
//   - A request that got a 200 is checked, too: the document must not
//     forbid what the service accepts. Refused requests are not checked.
package openapitest
