package route

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"touchline/shared/keys"
	"touchline/shared/sport"
)

// Group says which function serves an operation.
type Group string

// The groups, one function each.
const (
	GroupPing          Group = "ping"
	GroupOrganizations Group = "organizations"
	GroupTournaments   Group = "tournaments"
	GroupMatches       Group = "matches"
	GroupTeams         Group = "teams"
	GroupPlayers       Group = "players"
)

// Groups lists the groups.
func Groups() []Group {
	return []Group{GroupPing, GroupOrganizations, GroupTournaments, GroupMatches, GroupTeams, GroupPlayers}
}

// How old a response may be (D10): where a live match may be in it, and else.
const (
	AgeLive = 15 * time.Second
	Age     = time.Minute
)

// Row is what the contract's endpoint table states about an operation, but for
// its parameters and its reply, which are types.
type Row struct {
	Group   Group
	Path    string        // /v1/name, /v1/name/{id}, /v1/name/{id}/name; a first {alias} stands for four names
	Scopes  []keys.Scope  // all of them required; none: any key
	Summary string        // one line, for documents
	Cache   time.Duration // how old the data behind an answer may be, AgeLive or Age; 0: never cached
	Window  bool          // page * limit is at most PageWindow (read-api, Limits)
}

// ShowsData reports whether a response shows something of the data: every route but
// ping does.
func (r Row) ShowsData() bool { return len(r.Scopes) > 0 }

// Call is a request that passed every check before the data: who asks, for
// what, and when.
type Call struct {
	Organization sport.ID     // of the key; the root of its scope
	Descendants  bool         // the key's option: its scope goes below Organization
	KeyID        string       // as sent in X-Service-Key
	Scopes       []keys.Scope // the key's, not the route's; not to be changed
	Alias        Alias        // empty where the path has none
	ID           string       // {id} as it arrived, not yet known to be an id; empty where the path has none
	Now          time.Time    // the time of the request
}

// Viewer is whose data the request may see.
func (c Call) Viewer() sport.Viewer {
	return sport.Viewer{Organization: c.Organization, Descendants: c.Descendants}
}

// FilterID is the value of an id filter, decoded and otherwise as sent: one
// that is not an id gets 404, like an unknown id (D13).
type FilterID string

// Operation is one row of the table, with its handler.
type Operation struct {
	Row
	Params    []Param // in the order of the struct's fields
	ReplyType reflect.Type

	// Decode judges a query as it was sent, without the question mark. The error is
	// a *problem.Error that names the first offending parameter.
	Decode func(query string) (Arguments, error)
	// Serve asks the handler for the reply. args are what this operation's Decode gave. Of a
	// reply with an error only the error counts.
	Serve func(ctx context.Context, call Call, args Arguments) (any, error)

	pattern pattern
}

// Arguments are the decoded parameters of one request.
type Arguments struct {
	// IncludeDescendants is the parameter of that name, false where the operation
	// has none: true needs a key with descendants (D1 step 18).
	IncludeDescendants bool

	params any // *P of Define
}

// Define makes an operation. It panics where the row or a tag of P is wrong;
// Param says what the tags of P are. The handler refuses with a
// *problem.Error; any other error becomes an internalError.
func Define[P, R any](row Row, serve func(ctx context.Context, call Call, params P) (R, error)) Operation {
	paramsType := reflect.TypeFor[P]()
	pattern, err := parsePattern(row.Path)
	if err != nil {
		panic(fmt.Sprintf("route %s: %v", row.Path, err))
	}
	if !slices.Contains(Groups(), row.Group) {
		panic(fmt.Sprintf("route %s: unknown group %q", row.Path, row.Group))
	}
	q, err := readQuery(paramsType, row.Window)
	if err != nil {
		panic(fmt.Sprintf("route %s: parameters %v: %v", row.Path, paramsType, err))
	}
	var defaults P
	q.setDefaults(reflect.ValueOf(&defaults).Elem())

	return Operation{
		Row:       row,
		Params:    q.params(),
		ReplyType: reflect.TypeFor[R](),
		pattern:   pattern,
		Decode: func(raw string) (Arguments, error) {
			params := new(P)
			*params = defaults
			args := Arguments{params: params}
			err := q.decode(raw, reflect.ValueOf(params).Elem(), &args)
			return args, err
		},
		Serve: func(ctx context.Context, call Call, args Arguments) (any, error) {
			return serve(ctx, call, *args.params.(*P))
		},
	}
}
