// Package site writes the pages for callers of the API: static files that need
// no network, no server and, except for the checker, no scripts.
//
// The kits are clients in a single file for each language (folder kits). Each needs only the standard library of its language, and they all
// do the same: sign, page, wait as Retry-After says, and correct the clock. Tests run every
// one of them against the vectors of package signing and a real service.
//
// The prose is Markdown in content. Each page is a template of package
// text/template, which inserts what the code knows: paths, limits, error codes,
// vectors, changes. The reference is made from the OpenAPI document, and the programs
// in content/examples are shown, which tests run.
//
// # Invariants
//
//   - A page loads nothing from other sites. The content security policy that
//     enforces this is in every page, and Handler sends it.
//   - No page has a field for a secret. The checker signs with that of the vectors.
//   - The same address gives the same bytes.
package site
