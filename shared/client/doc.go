// Package client calls the API from Go. The touchline command uses it, too.
//
// A Client knows one service and one key. Each route group has a path type
// (Client.Organization, Tournament, Match, Team, Player); its methods give typed
// results, and lists as a List, to be read page by page or as an iterator:
//
//	for club, err := range c.Federation(id).Clubs(client.ClubsParams{}).All(ctx) { … }
//
// What the package keeps true:
//
//   - Every attempt has its own nonce. That includes the retries that net/http
//     makes by itself: they are abandoned and sent again.
//   - What is sent is what was signed, byte for byte; redirects are not followed,
//     since a signature is for one path.
//   - Requests only read, so they are repeated where that may help: no response
//     at all, 429, 500, 502, 503 and 504, a bounded number of times, after what
//     Retry-After asks for or a growing pause. A pause that the context's
//     deadline or Config.MaxWait does not allow is not begun: the refusal is
//     returned at once. All other refusals (400, 403, 404, 405, 422) are final.
//   - A 401 is repeated once, and only where the response's Date shows that the
//     timestamp was too far off: the client's clock then runs by the server's.
//   - Responses are not trusted: bodies are bounded, their form is checked,
//     unknown fields are ignored so that a service may grow, and errors carry no
//     control characters.
//   - No error, log value or formatted Client shows the secret.
//
// # Lists
//
// List.All asks for pages of 100 until hasMore is false. The data may change in
// between: an entry that moved from one page to the next appears once, one that
// moved to a page already read is missed.
//
// Where a list with IncludeDescendants ranges over too many organizations (422
// scopeTooLarge), or is longer than the 10,000 entries that pages reach, All
// narrows it: first what the organization itself has, then each association
// directly below it by associationId (further down where that is still too
// large), then each club directly below it. To list these the key needs the
// scope organizations:read. An entry that is below several of these appears
// once, for which ids are remembered (at most 1,048,576 of them, 24 bytes each);
// the order asked for holds within each part only. Every part is a request, or
// several, of the key's rate and quota. A list that the caller has
// narrowed already, by AssociationID or ClubID, is not narrowed further. Not found by
// narrowing is what the contract's hierarchy (federation, association, club)
// does not have: what is below a federation below a federation, clubs below the
// clubs directly below the organization, associations below clubs.
//
// # Why
//
// The client is written by hand, although the service has an OpenAPI document. A
// generator would write the types and paths, which are a thousand of its 2,100
// lines: a test holds them to the responses (shape_test.go), and another to the
// route table (routes_test.go). The other half is what a generator leaves to its
// user, and what is hard to get right: a signature and a nonce for each attempt,
// which refusals may be repeated and when, the clock, lists that have to be
// narrowed, and bodies that are not trusted. Generated code would also bring its
// runtime into programs that import this package; it needs the standard library
// and two small packages of this module (signing and sport).
package client
