// Package scripts is the whole API as plain text: what is asked, and what is
// answered. The scripts are testdata/*.txt, one for each route group and one for
// the order of checks (D1); testdata/norland is the federation that they ask
// about. Every request is a gateway event, signed with a key that was made as an
// operator makes one, and goes through the worker that `touchline serve` and the
// functions run, on a database engine. Every answer is held to the OpenAPI
// document besides.
//
// # A script
//
// A line that begins with # is a comment. The lines before the first title hold
// for the whole script:
//
//	key NAME organization=KEY [alone] [scopes=A,B] [allow=CIDR] [quota=N] [expires=+1h] [revoked]
//	route PATH        one of what `each` stands for; together, the group's operations
//
// A key has descendants and every scope unless it says otherwise. The first one
// is used where a request names none. A title, "== what is shown", begins a
// case. In it:
//
//	worker            a new worker: nothing cached, nothing counted
//	clock +30s        moves the clock; each request moves it by 8 s by itself
//	still             requests move it no more, for the rest of the case
//	GET PATH?QUERY [WORD...]
//	STATUS [CODE [FIELD [BOUND]]]
//	Name: value
//	path.to.field = VALUE...
//	{ "data": ... }
//
// Ids are written as the kind's letter and the dataset's key, o:fed, c:liga,
// g:a, t:albion-25, p:ann, m:opener, e:opener/2; k:NAME is a key's id. The words
// after a target are as=KEY, from=ADDRESS, at=-300s (the timestamp, from the
// clock), nonce=TEXT, times=N, body=TEXT, unsigned, forged (a signature that is
// none), broken=keys|nonces|quotas|sports (a new worker whose table does not
// answer), and Name:value for a header, without a value to leave it out; %20 in
// a value is a space. `each` as a target asks every route of the script; @N at its
// end fills it up to N bytes.
//
// What follows is expected, up to an empty line: the status, for a refusal with
// its code, the field named and the bound told, which is the whole body; headers,
// with ~ before a pattern and - for one that is not there; fields of the body,
// where a path through a list gives the field of every item, and `count path = N`
// tells how many there are; or the whole body. Where many requests differ in
// little, rows do:
//
//	GET /v1/teams/t:albion-25/players
//	| ?limit=0 | 400 badRequest limit 100 |
//	| ?limit=1 | 200                      | data.id = p:flo ; total = 5
//
// The first cell is appended to the request line. Every GET that is not one of
// several, and chooses no nonce, is sent as HEAD, too: the same status and
// headers, and no body.
//
// # Real data
//
// The tests named for Bundesliga and World Cup ask the same worker about the
// data beside the repository, and compute what it must answer from the records
// themselves, with nothing of the packages that the service computes with.
//
// # Writing anew
//
// The flag -update writes bodies and the values of fields anew; never statuses,
// codes or headers. What it writes is to be read against the contract.
package scripts
