// Package site writes the pages for those who call the API: static files that
// need no network, no server and, but for the reference and the checker, no
// script.
//
// The prose is Markdown in content, a template of package text/template each:
// what the code knows (paths, limits, error codes, vectors, changes) is put in
// from the code. The reference is Redoc over the OpenAPI document. Programs in
// content/examples are shown and run by tests.
//
// Invariants:
//
//   - A page loads nothing from elsewhere. Policy is the content security policy
//     that holds it to that: each page carries it, and Handler sends it.
//   - No page has a field for a secret. The checker signs with the one of the
//     vectors.
//   - The same options give the same bytes.
package site
