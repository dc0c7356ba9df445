// Package client calls the API from Go. The touchline command uses it, too.
//
// A Client is for one service and one key. Each route group has a path type
// (Client.Organization, Tournament, Match, Team, Player), whose methods return
// typed results; a list is a List, to be read page by page or as an iterator:
//
//	for club, err := range c.Federation(id).Clubs(client.ClubsParams{}).All(ctx) { … }
//
// What callers can rely on:
//
//   - Every attempt has its own nonce. That includes the retries that net/http would
//     make by itself: they are abandoned and sent again.
//   - What is sent is what was signed, byte for byte. Redirects are not followed,
//     since a signature is for one path.
//   - Requests only read, so they are repeated if that may help: if there is no
//     response at all, and after 429, 500, 502, 503 and 504; a bounded number of
//     times, after the time that Retry-After asks for or a growing pause. If the
//     context's deadline or Config.MaxWait do not allow the pause, the refusal is
//     returned at once. All other refusals (400, 403, 404, 405, 422) are final.
//   - A 401 is repeated once, and only if the Date of the response shows that the
//     timestamp was too far off: the client then follows the server's clock.
//   - Responses are not trusted: bodies are bounded, their form is checked, unknown
//     fields are ignored so that the service can add some, and errors contain no
//     control characters.
//   - No error, log value or formatted Client shows the secret.
//
// # Lists
//
// List.All requests pages of 100 until hasMore is false. The data may change in
// between: an item that moves from one page to the next appears once, one that
// moves to a page that was read before is missed.
//
// If a list with IncludeDescendants covers too many organizations (422
// scopeTooLarge), or is longer than the 10,000 items that pages can reach, All
// reads it in parts: first the items of the organization itself, then those of
// each association directly below it, by associationId (and further down if that
// is still too large), then those of each club directly below it. To list these
// organizations the key needs the scope organizations:read. An item that is in
// several parts appears once; for this, ids are remembered (at most 1,048,576,
// 24 bytes each). The order holds within each part only. Every part is one or
// more requests, which count for the rate and the quota of the key. A list that
// the caller has narrowed by AssociationID or ClubID is not divided further. The
// parts do not cover what the contract's hierarchy (federation, association,
// club) does not have: what is below a federation below a federation, clubs
// below the clubs directly below the organization, associations below clubs.
//
// # Why it is not generated
//
// The client is written by hand, although the service has an OpenAPI document. A
// generator would write the types and paths, which are a thousand of its 2,100
// lines; one test compares these with the responses (shape_test.go), another
// with the route table (routes_test.go). The other half is what a generator
// leaves to its user, and what is hard to get right: a signature and a nonce for
// each attempt, which refusals may be repeated and when, the clock, lists that
// have to be read in parts, and bodies that are not trusted. Generated code
// would also add its runtime library to programs that import this package; this
// one needs the standard library and two small packages of this module (signing
// and sport).
package client
