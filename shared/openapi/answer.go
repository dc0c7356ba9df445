package openapi

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"touchline/shared/problem"
	"touchline/shared/route"
)

// The names of response headers (read-api, Response headers).
const (
	headerVersion       = "X-Service-Api-Version"
	headerRequestID     = "X-Request-Id"
	headerCacheControl  = "Cache-Control"
	headerRateLimit     = "X-RateLimit-Limit"
	headerRateRemaining = "X-RateLimit-Remaining"
	headerRateReset     = "X-RateLimit-Reset"
	headerRetryAfter    = "Retry-After"
	headerAllow         = "Allow"
	headerContentLength = "Content-Length"
	headerDataVersion   = "X-Service-Data-Version"
	headerLastModified  = "Last-Modified"
	headerVary          = "Vary"
	headerEncoding      = "Content-Encoding"
)

// uncounted is appended to the names of the rate headers in responses to
// requests that may fail before their rate is counted (D1 step 15).
const uncounted = "-If-Counted"

func headers() Ordered[Header] {
	var all Ordered[Header]
	add := func(name, description string, required bool, s *Schema) {
		all.set(name, Header{Description: description, Required: required, Schema: s})
	}
	add(headerVersion, "The version of the API.", true, &Schema{Type: typeInteger, Const: 1})
	add(headerRequestID, "Names this request; a random UUID.", true, &Schema{
		Type: typeString, Format: "uuid",
		Pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
	})
	add(headerCacheControl, "Answers are not to be stored.", true, &Schema{Type: typeString, Const: "no-store"})
	for _, sometimes := range []bool{false, true} {
		suffix, note := "", ""
		if sometimes {
			suffix, note = uncounted, " Missing where the request was refused before it was counted."
		}
		add(headerRateLimit+suffix, "Requests of the key in a window of 60 seconds."+note, !sometimes, &Schema{Type: typeInteger, Minimum: new(1)})
		add(headerRateRemaining+suffix, "Requests left in the window."+note, !sometimes, &Schema{Type: typeInteger, Minimum: new(0)})
		add(headerRateReset+suffix, "When the window ends, Unix time in seconds."+note, !sometimes, &Schema{Type: typeInteger, Minimum: new(0)})
	}
	add(headerRetryAfter, "Seconds until a request can succeed.", true, &Schema{Type: typeInteger, Minimum: new(1)})
	add(headerAllow, "The methods that there are.", true, &Schema{Type: typeString, Const: "GET, HEAD"})
	add(headerContentLength, "Length of the body that GET has; a front door may leave it out.", false, &Schema{Type: typeInteger, Minimum: new(0)})
	add(headerDataVersion, "The version of the data: a number that grows by one with each load that changed something. A plus after it says that such a load is being written, or has been within the last half minute. Missing where the version is not known.", false, &Schema{Type: typeString, Pattern: `^[0-9]+\+?$`})
	add(headerLastModified, "When the last load ended. Missing where that is not known.", false, &Schema{Type: typeString})
	add(headerVary, "The body may be compressed, as Accept-Encoding says.", true, &Schema{Type: typeString, Const: "Accept-Encoding"})
	add(headerEncoding, "There where the body is compressed: 1,024 bytes or more, for a request whose Accept-Encoding allows it.", false, &Schema{Type: typeString, Const: "gzip"})
	return all
}

// counted reports whether a response has the rate headers.
type counted int

const (
	never counted = iota // before D1 step 15, always
	maybe                // before or after it
	after                // after it, always
)

func headersOf(rate counted, more ...string) Ordered[Header] {
	var all Ordered[Header]
	add := func(name, component string) {
		all.set(name, Header{Ref: "#/components/headers/" + component})
	}
	for _, name := range []string{headerVersion, headerRequestID, headerCacheControl} {
		add(name, name)
	}
	for _, name := range []string{headerRateLimit, headerRateRemaining, headerRateReset} {
		switch rate {
		case after:
			add(name, name)
		case maybe:
			add(name, name+uncounted)
		}
	}
	for _, name := range more {
		add(name, name)
	}
	return all
}

// answers collects the responses that operations share.
type answers struct {
	types     *catalog
	responses Ordered[Response]
}

// refusal is a response with an error body: one status, and some of its codes.
type refusal struct {
	name        string
	body        string         // name of the refusal whose body it shares; empty: its own
	codes       []problem.Code // of one status
	description string
	rate        counted
	headers     []string
	extend      func(body *Schema) // adds what the codes have besides code and message
}

func (r refusal) status() string { return strconv.Itoa(r.codes[0].Status()) }

// refusals are the refusals of an operation, by status.
func refusals(o *route.Operation) []refusal {
	all := []refusal{badRequest(), unauthorized(), forbidden(o)}
	if hasID(o.Path) {
		all = append(all, notFound())
	}
	if r, ok := scopeTooLarge(o); ok {
		all = append(all, r)
	}
	return append(all, tooMany(), internal(), unavailable())
}

func badRequest() refusal {
	return refusal{
		name: "BadRequest", codes: []problem.Code{problem.BadRequest}, rate: maybe,
		description: "The query is wrong, or the target too long, malformed or with a body. To do: mend the parameter that details.field names; sent again as it is, the request is refused again.",
		extend: func(body *Schema) {
			body.addOptional("details", newObject().
				add("field", &Schema{Type: typeString, Description: "The first parameter at fault, in the order sent."}).
				addOptional("limit", &Schema{Type: typeInteger, Minimum: new(1), Description: "The bound that applies, where field is page or limit."}))
		},
	}
}

func unauthorized() refusal {
	return refusal{
		name: "Unauthorized", codes: []problem.Code{problem.Unauthorized}, rate: never,
		description: "The signature, or something it rests on, is wrong; which, is not said. To do: compare the clock with the Date header, then the canonical string; take a new nonce for each attempt. The federation can see what was wrong under the X-Request-Id.",
		extend: func(body *Schema) {
			s := stringIn(problem.ReasonMalformedHeader)
			s.Description = "A header is missing or not of its form. May change: branch on the code alone."
			body.addOptional("reason", s)
		},
	}
}

// askFederation is what to do if a key lacks a permission.
const askFederation = "To do: ask the federation, which can change the key; repeating the request does not help."

func forbidden(o *route.Operation) refusal {
	r := refusal{
		name: "Forbidden", codes: []problem.Code{problem.Forbidden, problem.ScopeMissing, problem.ProRequired}, rate: maybe,
		description: "forbidden: the caller's address is not on the key's allowlist, or includeDescendants=true with a key without descendants. " +
			"scopeMissing: the key has not got the operation's scopes. " +
			"proRequired: the key's organization is inactive or has no PRO plan. " + askFederation,
	}
	if len(o.Scopes) == 0 {
		r.name, r.rate = "ForbiddenWithoutScope", never
		r.codes = []problem.Code{problem.Forbidden, problem.ProRequired}
		r.description = "forbidden: the caller's address is not on the key's allowlist. " +
			"proRequired: the key's organization is inactive or has no PRO plan. " + askFederation
	}
	return r
}

func notFound() refusal {
	return refusal{
		name: "NotFound", codes: []problem.Code{problem.NotFound}, rate: after,
		description: "What the path, or an id filter, names does not exist, is outside the key's scope, hidden, private or of another type. To do: look the id up again in a list; where it is missing there, it is gone.",
	}
}

// The bounds on organizations in scope (read-api, Limits).
const (
	maxOrganizations = 5000
	maxAtLarge       = 50
)

// narrowing are the filters of which a list of many players needs one (read-api,
// Endpoint rules 8). The operation that has them all is that list.
func narrowing() []string { return []string{"clubId", "associationId", "competitionId", "teamId"} }

// scopeTooLarge is the refusal of the organization lists (read-api, Endpoint
// rules 8 and 9): those with a window that include descendants.
func scopeTooLarge(o *route.Operation) (refusal, bool) {
	if !o.Window || !hasParams(o, "includeDescendants") {
		return refusal{}, false
	}
	r := refusal{
		name: "ScopeTooLarge", codes: []problem.Code{problem.ScopeTooLarge}, rate: after,
		description: "includeDescendants=true over more than 5000 organizations. To do: list the associations, then ask for each with associationId.",
		extend: func(body *Schema) {
			body.add("details", newObject().add("max", &Schema{Type: typeInteger, Enum: []any{maxOrganizations}}))
		},
	}
	if hasParams(o, narrowing()...) {
		r.name = "PlayersScopeTooLarge"
		r.description = "includeDescendants=true over more than 50 organizations with none of the filters of details.requiresOneOf, " +
			"or over more than 5000 with one (requiresOneOf is missing then). To do: ask in parts, with one of these filters."
		r.extend = func(body *Schema) {
			body.add("details", newObject().
				add("max", &Schema{Type: typeInteger, Enum: []any{maxAtLarge, maxOrganizations}}).
				addOptional("requiresOneOf", arrayOf(stringIn(narrowing()...))))
		}
	}
	return r, true
}

func tooMany() refusal {
	return refusal{
		name: "TooManyRequests", codes: []problem.Code{problem.RateLimited, problem.QuotaExceeded}, rate: maybe,
		headers: []string{headerRetryAfter},
		description: "rateLimited: too many requests of the key in this minute, or too many failed authentications from the caller's address. " +
			"quotaExceeded: the organization's quota of the month is used up. To do: wait as Retry-After says, then send the request with a new nonce; ask less often.",
		extend: func(body *Schema) {
			body.add("retryAfter", &Schema{Type: typeInteger, Minimum: new(1), Description: "Seconds, as in Retry-After."})
		},
	}
}

func internal() refusal {
	return refusal{
		name: "InternalError", codes: []problem.Code{problem.InternalError}, rate: maybe,
		description: "A fault of the service. To do: try again later, a few times at most; report it with the X-Request-Id.",
	}
}

func unavailable() refusal {
	return refusal{
		name: "Unavailable", codes: []problem.Code{problem.IntegrationsUnavailable, problem.ServiceUnavailable}, rate: maybe,
		description: "integrationsUnavailable: the store of keys does not answer. " +
			"serviceUnavailable: another store that is needed to admit the request does not. To do: try again after some seconds, with a new nonce and a longer pause each time.",
	}
}

// add adds the refusal to the components, for GET and for HEAD.
func (a *answers) add(r refusal) {
	if a.responses.Has(r.name) {
		return
	}
	a.responses.set(r.name, Response{
		Description: r.description, Headers: headersOf(r.rate, r.headers...), Content: bodies(a.problem(r), r.examples()),
	})
	if !slices.Contains(r.codes, problem.MethodNotAllowed) {
		a.responses.set(r.name+onHead, Response{
			Description: r.description, Headers: headersOf(r.rate, append(r.headers, headerContentLength)...),
		})
	}
}

// onHead is appended to the name of a response for the one to HEAD.
const onHead = "OnHead"

// problem is the component of the refusal's body.
func (a *answers) problem(r refusal) *Schema {
	name := cmp.Or(r.body, r.name) + "Problem"
	if !a.types.schemas.Has(name) {
		var messages []string
		for _, c := range r.codes {
			messages = append(messages, c.Message())
		}
		inner := newObject().add("code", stringIn(r.codes...)).add("message", stringIn(unique(messages)...))
		if r.extend != nil {
			r.extend(inner)
		}
		a.types.schemas.set(name, newObject().add("error", inner))
	}
	return reference(name)
}

func unique(values []string) []string {
	var out []string
	seen := make(map[string]bool)
	for _, v := range values {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

func body(s *Schema) Ordered[mediaType] {
	var content Ordered[mediaType]
	content.set("application/json", mediaType{Schema: s})
	return content
}

// addElsewhere adds the responses to requests that match no operation.
func (a *answers) addElsewhere() {
	unknown := notFound()
	unknown.name, unknown.body, unknown.rate = "UnknownPath", unknown.name, never
	unknown.description = "The path is not in this document."
	a.add(unknown)
	a.add(refusal{
		name: "MethodNotAllowed", codes: []problem.Code{problem.MethodNotAllowed}, headers: []string{headerAllow},
		description: "The method is neither GET nor HEAD.",
	})
	a.responses.set("Options", Response{
		Description: "What OPTIONS is answered with, status " + strconv.Itoa(http.StatusNoContent) + ".",
		Headers:     headersOf(never, headerAllow),
	})
}
