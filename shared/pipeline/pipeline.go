package pipeline

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
)

// Credentials finds keys with their secrets; keys.Cache is one.
type Credentials interface {
	// Lookup gives the credential of a key id, at most 60 seconds old (D10), or
	// keys.ErrUnknown. Any other error is a store that cannot tell: 503
	// integrationsUnavailable.
	Lookup(ctx context.Context, id string) (*keys.Credential, error)
}

// Organizations knows the organizations that keys belong to.
type Organizations interface {
	// Standing reports whether the organization is active and whether it has plan
	// pro, at most 60 seconds old; neither for one that does not exist. An error is
	// a store that cannot tell: 500.
	Standing(ctx context.Context, id sport.ID) (active, pro bool, err error)
}

// Pipeline answers requests. All fields are set before the first and not
// changed after.
type Pipeline struct {
	Routes        *route.Table
	Credentials   Credentials
	Organizations Organizations
	Nonces        limits.NonceStore
	Quotas        limits.QuotaStore
	Failures      *limits.Failures        // by caller address
	Rates         *limits.Windows[string] // by key id
	Now           func() time.Time
	NewRequestID  func() string // a random UUID, version 4 (D4)
	Log           *slog.Logger
	Timeout       time.Duration // for a whole request; 0: DefaultTimeout
}

// DefaultTimeout bounds a request: below the 10 seconds a function is given, so
// that a slow store is answered by us.
const DefaultTimeout = 8 * time.Second

// Exchange is one request on its way to its answer: Receive, Screen, Serve.
type Exchange struct {
	p       *Pipeline
	request Request
	id      string // X-Request-Id
	now     time.Time

	// What the checks find out, in their order.
	operation  *route.Operation
	path       route.PathParams
	headers    signedHeaders
	credential *keys.Credential
	arguments  route.Arguments
	argsFault  *problem.Error  // of step 17, found ahead of it
	rate       limits.Decision // where rated
	rated      bool            // from step 15 on
	ahead      *ahead
	body       []byte
}

// Answer is Receive, Screen and Serve.
func (p *Pipeline) Answer(ctx context.Context, r Request) Response {
	x := p.Receive(r)
	if answer, done := x.Screen(); done {
		return answer
	}
	return x.Serve(ctx)
}

// Receive begins the exchange of a request: it gets its id and its time.
func (p *Pipeline) Receive(r Request) *Exchange {
	return &Exchange{p: p, request: r, id: p.NewRequestID(), now: p.Now()}
}

// Screen is D1's steps 1 to 4, which need nothing but the request. It reports
// whether they answered; where not, Serve does.
func (x *Exchange) Screen() (answer Response, done bool) {
	if x.request.Method == http.MethodOptions { // step 1
		return x.response(http.StatusNoContent), true
	}
	if refusal := x.run(context.Background(), screening()); refusal != nil {
		return x.refuse(refusal), true
	}
	return Response{}, false
}

// Serve is D1's steps 5 to 21. A panic in one of them is a 500.
func (x *Exchange) Serve(ctx context.Context) (answer Response) {
	defer func() {
		if v := recover(); v != nil {
			answer = x.Fail(newPanic(v))
		}
	}()
	timeout := x.p.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel() // ends what still runs ahead of a refusal
	if refusal := x.run(ctx, serving()); refusal != nil {
		return x.refuse(refusal)
	}
	answer = x.response(http.StatusOK)
	answer.setBody(x.request.Method, x.body)
	return answer
}

// Fail is the answer to a fault of ours, for a front door that cannot go on.
func (x *Exchange) Fail(cause error) Response {
	return x.refuse(problem.Because(problem.InternalError, cause))
}

func (x *Exchange) run(ctx context.Context, checks []check) *problem.Error {
	for _, check := range checks {
		if refusal := check(x, ctx); refusal != nil {
			return refusal
		}
	}
	return nil
}

// refuse answers with a refusal, and logs one that is ours.
func (x *Exchange) refuse(e *problem.Error) Response {
	status := e.Status()
	if status >= http.StatusInternalServerError {
		x.log(e, status)
	}
	answer := x.response(status)
	if e.RetryAfter > 0 {
		answer.add(headerRetryAfter, fmt.Sprint(e.RetryAfter))
	}
	answer.setBody(x.request.Method, e.JSON())
	return answer
}

func (x *Exchange) log(e *problem.Error, status int) {
	attrs := []slog.Attr{
		slog.String("requestId", x.id),
		slog.Int("status", status),
		slog.String("code", string(e.Code)),
	}
	if x.operation != nil {
		attrs = append(attrs, slog.String("route", x.operation.Path))
	}
	if e.Cause != nil {
		attrs = append(attrs, slog.String("cause", e.Cause.Error()))
	}
	if p, ok := e.Cause.(*panicError); ok { //nolint:errorlint // newPanic's own, never wrapped
		attrs = append(attrs, slog.String("stack", p.stack))
	}
	x.p.Log.LogAttrs(context.Background(), slog.LevelError, "request failed", attrs...)
}

// panicError is a recovered panic as the cause of a 500.
type panicError struct {
	value any
	stack string
}

func newPanic(value any) error { return &panicError{value, string(debug.Stack())} }

func (p *panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }
