package openapi

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"touchline/shared/problem"
	"touchline/shared/route"
)

// counted says whether a response has the rate headers.
type counted string

const (
	never counted = ""      // before D1 step 15, always
	maybe counted = "maybe" // before or after it
	after counted = "after" // after it, always
)

// headersOf are references to the headers of a response, which frame.json has; those of
// the rate are optional under another name.
func headersOf(rate counted, more ...string) Ordered[Header] {
	var all Ordered[Header]
	add := func(suffix string, names ...string) {
		for _, name := range names {
			all.set(name, Header{Ref: "#/components/headers/" + name + suffix})
		}
	}
	add("", "X-Service-Api-Version", "X-Request-Id", "Cache-Control")
	if rate != never {
		add(map[counted]string{maybe: "-If-Counted"}[rate], "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
	}
	add("", more...)
	return all
}

// goodHeaders are those of a response with data, besides the ones that all have.
var goodHeaders = []string{"X-Service-Data-Version", "Last-Modified", "Vary", "Content-Encoding"}

// answers collects the responses that operations share.
type answers struct {
	types     *catalog
	responses Ordered[Response]
}

// refusal is a response with an error body: one status, and some of its codes.
type refusal struct {
	Name        string
	Body        string         // name of the refusal whose body it shares; empty: its own
	Codes       []problem.Code // of one status
	Description string
	Rate        counted
	Headers     []string
	More        Schema // what the error has besides code and message
}

// refusalsJSON are the refusals that there are.
//
//go:embed refusals.json
var refusalsJSON []byte

// named is a refusal by its name.
func named(name string) refusal {
	var all []refusal
	if err := json.Unmarshal(refusalsJSON, &all); err != nil {
		panic(fmt.Sprintf("openapi: refusals.json: %v", err))
	}
	return all[slices.IndexFunc(all, func(r refusal) bool { return r.Name == name })]
}

func (r refusal) status() string { return strconv.Itoa(r.Codes[0].Status()) }

// refusals are the refusals of an operation, by status. An operation that ranges over
// organizations has a window and includes descendants (read-api, Endpoint rules 8 and 9).
func refusals(o *route.Operation) (all []refusal) {
	add := func(name string, are bool) {
		if are {
			all = append(all, named(name))
		}
	}
	ranges, ofPlayers := o.Window && hasParams(o, "includeDescendants"), hasParams(o, narrowing()...)
	add("BadRequest", true)
	add("Unauthorized", true)
	add("Forbidden", len(o.Scopes) > 0)
	add("ForbiddenWithoutScope", len(o.Scopes) == 0)
	add("NotFound", hasID(o.Path))
	add("PlayersScopeTooLarge", ranges && ofPlayers)
	add("ScopeTooLarge", ranges && !ofPlayers)
	add("TooManyRequests", true)
	add("InternalError", true)
	add("Unavailable", true)
	return all
}

// The bounds on organizations in scope (read-api, Limits).
const (
	maxOrganizations = 5000
	maxAtLarge       = 50
)

// narrowing are the filters of which a list of many players needs one (read-api,
// Endpoint rules 8). The operation that has them all is that list.
func narrowing() []string { return []string{"clubId", "associationId", "competitionId", "teamId"} }

// add adds the refusal to the components, for GET and for HEAD.
func (a *answers) add(r refusal) {
	if a.responses.Has(r.Name) {
		return
	}
	a.responses.set(r.Name, Response{
		Description: r.Description, Headers: headersOf(r.Rate, r.Headers...), Content: bodies(a.problem(r), r.examples()),
	})
	if !slices.Contains(r.Codes, problem.MethodNotAllowed) {
		a.responses.set(r.Name+onHead, Response{
			Description: r.Description, Headers: headersOf(r.Rate, append(r.Headers, "Content-Length")...),
		})
	}
}

// onHead is appended to the name of a response for the one to HEAD.
const onHead = "OnHead"

// problem is the component of the refusal's body.
func (a *answers) problem(r refusal) *Schema {
	name := cmp.Or(r.Body, r.Name) + "Problem"
	if !a.types.schemas.Has(name) {
		var messages []string
		for _, c := range r.Codes {
			if !slices.Contains(messages, c.Message()) {
				messages = append(messages, c.Message())
			}
		}
		inner := newObject().add("code", stringIn(r.Codes...)).add("message", stringIn(messages...))
		for field, value := range r.More.Properties.All() {
			inner.addOptional(field, value)
		}
		inner.Required = append(inner.Required, r.More.Required...)
		a.types.schemas.set(name, newObject().add("error", inner))
	}
	return reference(name)
}

// addElsewhere adds the responses to requests that match no operation.
func (a *answers) addElsewhere() {
	a.add(named("UnknownPath"))
	a.add(named("MethodNotAllowed"))
	a.responses.set("Options", Response{
		Description: "What OPTIONS is answered with, status " + strconv.Itoa(http.StatusNoContent) + ".",
		Headers:     headersOf(never, "Allow"),
	})
}
