// Package site writes the pages for callers of the API: static files that need
// no network, no server and, except for the reference and the checker, no
// scripts.
//
// The prose is Markdown in content. Each page is a template of package
// text/template, which inserts what the code knows: paths, limits, error codes,
// vectors, changes. The reference is Redoc, with the OpenAPI document. The
// programs in content/examples are shown, and tests run them.
//
// # Invariants
//
//   - A page loads nothing from other sites. Policy is the content security policy
//     that enforces this: every page contains it, and Handler sends it.
//   - No page has a field for a secret. The checker signs with that of the vectors.
//   - The same options give the same bytes.
package site
