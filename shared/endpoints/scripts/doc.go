// Package scripts is the whole API as plain text: requests and the responses
// that they get. The scripts are testdata/*.txt: one for each route group, one
// for the order of checks (D1), and eight for what concerns all of them: what a
// key sees (scope), what a host sees of a guest (guests), what belongs to a list
// (lists), how seasons are selected (seasons), what the rules of a dataset
// make of matches (rules, stages, sports), and who is not named (children). One more,
// examples, has a request for each route, and the documentation shows its responses.
// They ask about the federations of testdata: norland, union, guests, rulebook,
// stages, children and sports; examples asks about the demo (package seed).
// Every request is a gateway event, signed with a key that was made as an operator
// makes one, and goes through the worker that `touchline serve` and the functions
// run, on a database engine. Every response is also checked against the OpenAPI
// document.
//
// # A script
//
// A line that begins with # is a comment. The lines before the first title hold
// for the whole script:
//
//	dataset NAME      a folder of testdata, or demo; norland without this line
//	key NAME organization=KEY [alone] [scopes=A,B] [allow=CIDR] [quota=N] [expires=+1h] [revoked]
//	route PATH        one of the paths that `each` stands for; together, the operations of the group
//
// A key has descendants and every scope unless it says otherwise. Requests that
// name no key use the first. A title, "== what is shown", begins a case. In it:
//
//	worker            a new worker, with empty caches and counters
//	clock +30s        moves the clock; each request moves it by 8 s by itself
//	still             from here to the end of the case requests do not move it
//	GET PATH?QUERY [WORD...]
//	STATUS [CODE [FIELD [BOUND]]]
//	Name: value
//	path.to.field = VALUE...
//	{ "data": ... }
//
// Ids are written as the letter of the kind and the key in the dataset: o:fed,
// c:liga, g:a, t:albion-25, p:ann, m:opener, e:opener/2; k:NAME is the id of a
// key. The target `each` sends the request to every route of the script; @N at its
// end pads the target to N bytes. These words may follow a target:
//
//	as=KEY, from=ADDRESS   who sends it, and from where
//	at=-300s               the timestamp, relative to the clock
//	nonce=TEXT, body=TEXT
//	times=N                how often it is sent
//	unsigned, forged       without a signature, or with a wrong one
//	broken=keys            a new worker that cannot reach this table; also nonces, quotas, sports
//	Name:value             a header; %20 is a space, and no value leaves the header out
//
// The lines up to the next empty one are what is expected: the status; headers;
// and the whole body, or fields of it. The status of a refusal has its code, the field
// and the bound behind it, which is the whole body. A header has ~ before a pattern,
// and - if it must be missing. A path through a list means the field of every item;
// `count path = N` is how many there are, and `path = -` that there is no such field.
// Requests that differ only a little are rows:
//
//	GET /v1/teams/t:albion-25/players
//	| ?limit=0 | 400 badRequest limit 100 |
//	| ?limit=1 | 200                      | data.id = p:flo ; total = 5 | the smallest page
//
// The first cell is appended to the request line, the last one is a remark. Every
// GET, unless it is sent several times or chooses its nonce, is also sent as HEAD,
// which has to give the same status and headers, and no body.
//
// # Real seasons
//
// The test named for the World Cup sends requests about the data of package outside. What
// it expects is in the dataset's records, or counted of them, and known of who won and who
// scored most. Tables of real seasons are held to published ones by package regulations.
//
// # The document
//
// Every response is checked against the OpenAPI document, those of unknown paths and
// methods included: a body with an undocumented field, a status that the operation does
// not list, or a header that is missing or malformed fails the test. A request that got
// a 200 is checked as well: the document must not forbid what the service accepts. Only
// these tests contain a JSON Schema validator.
//
// # Updating
//
// The flag -update writes bodies and values of fields as they are now; never
// statuses, codes or headers. Check what it writes against the contract.
package scripts
