// Package site writes the pages for callers of the API: static files that need
// no network, no server and, except for the checker and the search, no scripts.
//
// The prose is Markdown in content. Each page is a template of package
// text/template, which inserts what the code knows: paths, limits, error codes,
// vectors, changes. The reference is made from the OpenAPI document, and the index
// for the search from the finished pages. The programs in content/examples are
// shown, and tests run them.
//
// # Invariants
//
//   - A page loads nothing from other sites. The content security policy that
//     enforces this is in every page, and Handler sends it.
//   - No page has a field for a secret. The checker signs with that of the vectors.
//   - The same options give the same bytes.
package site
