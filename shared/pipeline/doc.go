// Package pipeline is the order of checks (decisions.md, D1): from the facts of
// a request to its response, in one list, checks.go.
//
// A Pipeline is an http.Handler. It takes the facts of a request as they arrived
// (Request), and writes what comes of them (Response). Everything in between is here
// or behind the fields of Pipeline; nothing is remembered between requests but by
// those.
//
// Invariants
//
//   - The first check that fails decides the response alone: no later check has an
//     effect. A nonce is spent only by a valid signature, the rate counts only
//     requests that steps 11 to 14 let through, the quota only those within the
//     rate.
//   - Steps 7 to 11 refuse alike and count one failed authentication. A store that
//     fails is 503, counted by nobody (D2, D3).
//   - The nonce write and the quota write are the only sequential writes. What
//     does not depend on them is read meanwhile (prefetch.go), and nobody waits for it
//     where the request is refused. No data is prefetched for what the worker knows to
//     be refused by the rate or, for a minute, by a spent quota.
//   - Every response carries the version, a request id, no-store and, from step 15
//     on, the rate (D4). None carries a cause.
//   - Every request is logged once (response.go, package accesslog), with the check
//     that refused it and in which way; neither the line nor its cost tells a
//     caller more than the response.
package pipeline
