package pipeline

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/meter"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/signing"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// Credentials finds keys with their secrets; keys.Cache is one.
type Credentials interface {
	// Lookup gives the credential of a key id, at most 60 seconds old (D10), or
	// keys.ErrUnknown. Any other error is a failure of the store: 503
	// integrationsUnavailable.
	Lookup(ctx context.Context, id string) (*keys.Credential, error)
}

// Organizations knows the organizations that keys belong to.
type Organizations interface {
	// Standing reports whether the organization is active and whether it has
	// plan pro, at most 60 seconds old; neither for one that does not exist. An
	// error is a failure of the store: 500.
	Standing(ctx context.Context, id sport.ID) (active, pro bool, err error)
}

// Data knows the state of the data that the operations show.
type Data interface {
	// Generation returns the state of the data, at most generation.Life old, or
	// nil where it is not known now. Where there is no data that this build reads,
	// the error is *generation.OtherError: 503 on every route that shows data
	// (D63). Any other error is a failure of the store.
	Generation(ctx context.Context) (*generation.State, error)
}

// Pipeline responds to requests. All fields are set before the first and not
// changed after.
type Pipeline struct {
	Routes        *route.Table
	Credentials   Credentials
	Organizations Organizations
	Data          Data // nil: nothing is known of it, and operations need none
	Nonces        limits.NonceStore
	Quotas        limits.QuotaStore
	Failures      *limits.Failures        // by caller address
	Rates         *limits.Windows[string] // by key id
	// Spent remembers the organizations whose quota was used up, for a minute. It decides
	// nothing: no data is prefetched for them.
	Spent        limits.Windows[sport.ID]
	Now          func() time.Time
	NewRequestID func() string // a random UUID, version 4 (D4)
	Log          *accesslog.Log
	Timeout      time.Duration // for a whole request; 0: DefaultTimeout
	// RefusesPages means that requests which a browser sends for a web page get 403 (D2). A
	// page cannot read any response, but its failed authentications would lock out the programs
	// on its machine.
	RefusesPages bool
	// IDs are what others call the request of a context, for the log: the gateway and
	// Lambda. Nil: nobody does.
	IDs func(context.Context) (gateway, invocation string)
}

// DefaultTimeout bounds a request: below the 10 seconds a function is given, so
// that the response to a slow store is ours.
const DefaultTimeout = 8 * time.Second

// Request is a request as it arrived: nothing decoded, cleaned or split.
type Request struct {
	Method   string
	Path     string // without the query
	Query    string // without the question mark
	Headers  http.Header
	Host     string
	HasBody  bool   // at least one byte of body arrived
	SourceIP string // of the caller, as the front door saw it; never from a header

	// For the log: what others call the request. Empty: nobody does.
	GatewayID    string // the gateway
	InvocationID string // Lambda
}

// header finds a header by its name in any case. The values of one sent more than
// once are joined by a comma.
func (r *Request) header(name string) (string, bool) {
	values, ok := r.Headers[http.CanonicalHeaderKey(name)]
	return strings.Join(values, ","), ok
}

// exchange is one request on its way to its response.
type exchange struct {
	p       *Pipeline
	request Request
	id      string // X-Request-Id
	now     time.Time
	cold    bool // the worker's first

	// What the checks find out, in their order.
	operation  *route.Operation
	path       route.PathParams
	headers    signing.Headers
	credential *keys.Credential
	arguments  route.Arguments
	argsFault  *problem.Error  // of step 17, found before it
	rate       limits.Decision // where rated
	rated      bool            // from step 15 on
	body       []byte
	state      *generation.State // of the data; nil: not known
	dataFault  *problem.Error    // of steps 19 to 21

	entry accesslog.Line // for the log: what is known so far
	cause error          // of a 5xx
	spent meter.Meter

	prefetched prefetched
}

// ServeHTTP implements http.Handler. It serves the request's target as it was sent:
// URL.RawPath where there is one, and URL.RawQuery. The caller is RemoteAddr, with or
// without a port.
func (p *Pipeline) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	caller, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		caller = r.RemoteAddr
	}
	request := Request{
		Method: r.Method, Path: cmp.Or(r.URL.RawPath, r.URL.EscapedPath()), Query: r.URL.RawQuery,
		Headers: r.Header, Host: r.Host, HasBody: hasBody(r), SourceIP: caller,
	}
	if p.IDs != nil {
		request.GatewayID, request.InvocationID = p.IDs(r.Context())
	}
	p.Serve(r.Context(), request).write(w)
}

// hasBody reads at most one byte. A body that cannot be read is one.
func hasBody(r *http.Request) bool {
	if r.ContentLength >= 0 || r.Body == nil {
		return r.ContentLength > 0
	}
	_, err := io.ReadFull(r.Body, make([]byte, 1))
	return !errors.Is(err, io.EOF)
}

// Serve answers a request, by D1's steps, and writes its line to the log before it
// returns: a function is frozen as soon as it has answered.
func (p *Pipeline) Serve(ctx context.Context, r Request) Response {
	x := &exchange{
		p: p, request: r, id: p.NewRequestID(), now: p.Now(), cold: p.Log.Cold(),
		spent: meter.Meter{Now: p.Now},
	}
	defer x.log()
	if r.Method == http.MethodOptions { // step 1
		return x.respond(http.StatusNoContent)
	}
	timeout := p.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(meter.With(store.Impatient(ctx, store.ReadPatience), &x.spent), timeout)
	defer cancel() // ends what is still prefetched
	if refusal := x.run(ctx); refusal != nil {
		return x.respondRefusal(refusal)
	}
	response := x.respond(http.StatusOK)
	x.setBody(&response, x.body)
	return response
}

// run is the checks in their order. A panic in one of them is a 500.
func (x *exchange) run(ctx context.Context) (refused *refusal) {
	defer func() {
		if v := recover(); v != nil {
			refused = fault(problem.InternalError, meter.Sports, newPanic(v))
		}
	}()
	for _, check := range checks() {
		x.entry.Check, x.entry.RefusedBy = check.number, check.name
		switch {
		case check.number == failuresCheck && x.p.RefusesPages && ofPage(x.request.Headers):
			x.entry.Check, x.entry.RefusedBy = 0, "" // between two of D1
			return refuse(problem.Forbidden, accesslog.PageNotServed)
		case check.number == nonceCheck:
			x.prefetch(ctx)
		}
		if refused := check.run(x, ctx); refused != nil {
			return refused
		}
	}
	x.entry.Check, x.entry.RefusedBy = 0, ""
	return nil
}
