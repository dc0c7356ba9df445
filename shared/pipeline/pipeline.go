package pipeline

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/meter"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/signing"
	"touchline/shared/sport"
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
	Known         *limits.Known           // what needs no work ahead; may be nil
	Now           func() time.Time
	NewRequestID  func() string // a random UUID, version 4 (D4)
	Log           *accesslog.Log
	Timeout       time.Duration // for a whole request; 0: DefaultTimeout
}

// DefaultTimeout bounds a request: below the 10 seconds a function is given, so
// that a slow store is answered by us.
const DefaultTimeout = 8 * time.Second

// Exchange is one request on its way to its answer: Receive, Screen, Serve, and
// Finish, whatever answered.
type Exchange struct {
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
	argsFault  *problem.Error  // of step 17, found ahead of it
	rate       limits.Decision // where rated
	rated      bool            // from step 15 on
	ahead      *ahead          // nil: nothing ran ahead
	body       []byte
	state      *generation.State // of the data; nil: not known
	dataFault  *problem.Error    // of steps 19 to 21

	entry accesslog.Entry // for the log: what the answer has set so far
	cause error           // of a 5xx
	spent meter.Meter

	work ahead // what ahead points at
}

// Answer is Receive, Screen, Serve and Finish.
func (p *Pipeline) Answer(ctx context.Context, r Request) Response {
	x := p.Receive(r)
	defer x.Finish()
	if answer, done := x.Screen(); done {
		return answer
	}
	return x.Serve(ctx)
}

// Receive begins the exchange of a request: it gets its id and its time.
func (p *Pipeline) Receive(r Request) *Exchange {
	return &Exchange{
		p: p, request: r, id: p.NewRequestID(), now: p.Now(), cold: p.Log.Cold(),
		spent: meter.Meter{Now: p.Now, WithoutBytes: true},
	}
}

// Screen is D1's steps 1 to 4, which need nothing but the request. It reports
// whether they answered; where not, Serve does.
func (x *Exchange) Screen() (answer Response, done bool) {
	if x.request.Method == http.MethodOptions { // step 1
		return x.response(http.StatusNoContent), true
	}
	checks := screening()
	if refusal := x.run(context.Background(), checks[:]); refusal != nil {
		return x.refuse(refusal), true
	}
	return Response{}, false
}

// Serve is D1's steps 5 to 21.
func (x *Exchange) Serve(ctx context.Context) Response {
	timeout := x.p.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(meter.With(ctx, &x.spent), timeout)
	defer cancel() // ends what still runs ahead of a refusal
	checks := serving()
	if refusal := x.run(ctx, checks[:]); refusal != nil {
		return x.refuse(refusal)
	}
	answer := x.response(http.StatusOK)
	x.setBody(&answer, x.body)
	return answer
}

// Fail is the answer to a fault of ours, for a front door that cannot go on.
func (x *Exchange) Fail(cause error) Response {
	return x.refuse(failed(cause))
}

// run is the checks in their order. A panic in one of them is a 500.
func (x *Exchange) run(ctx context.Context, checks []check) (refused *refusal) {
	defer func() {
		if v := recover(); v != nil {
			refused = failed(newPanic(v))
		}
	}()
	for _, check := range checks {
		if check.number != 0 {
			x.entry.Check = accesslog.Check{Number: check.number, Name: check.name}
		}
		if refused := check.run(x, ctx); refused != nil {
			return refused
		}
	}
	x.entry.Check = accesslog.Check{}
	return nil
}

// refuse answers with a refusal.
func (x *Exchange) refuse(r *refusal) Response {
	answer := x.response(r.Status())
	if r.RetryAfter > 0 {
		answer.add(headerRetryAfter, strconv.Itoa(r.RetryAfter))
	}
	x.setBody(&answer, r.JSON())
	x.entry.Code, x.entry.Reason, x.entry.Why = string(r.Code), r.Reason, r.why
	x.cause = r.Cause
	return answer
}
