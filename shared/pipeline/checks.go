package pipeline

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"time"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/problem"
	"touchline/shared/signing"
)

// check is one row of D1. It returns the refusal, or nil where the next check
// is to go on.
type check func(*Exchange, context.Context) *problem.Error

// screening is D1, steps 1 to 4.
func screening() []check {
	return []check{
		(*Exchange).checkMethod,  // 1
		(*Exchange).checkLength,  // 2
		(*Exchange).checkEscapes, // 3
		(*Exchange).checkBody,    // 4
	}
}

// serving is D1, steps 5 to 21.
func serving() []check {
	return []check{
		(*Exchange).checkRoute,        // 5
		(*Exchange).checkFailures,     // 6
		(*Exchange).checkHeaders,      // 7
		(*Exchange).checkKey,          // 8
		(*Exchange).checkTimestamp,    // 9
		(*Exchange).checkSignature,    // 10
		(*Exchange).goAhead,           // no check: begins what does not depend on the writes
		(*Exchange).checkNonce,        // 11
		(*Exchange).checkAddress,      // 12
		(*Exchange).checkScopes,       // 13
		(*Exchange).checkOrganization, // 14
		(*Exchange).checkRate,         // 15
		(*Exchange).checkQuota,        // 16
		(*Exchange).checkParameters,   // 17
		(*Exchange).checkDescendants,  // 18
		(*Exchange).readData,          // 19, 20, 21: the handler's
	}
}

func (x *Exchange) checkMethod(context.Context) *problem.Error {
	if x.request.Method != http.MethodGet && x.request.Method != http.MethodHead {
		return problem.New(problem.MethodNotAllowed)
	}
	return nil
}

func (x *Exchange) checkLength(context.Context) *problem.Error {
	if x.request.targetLength() > maxTarget {
		return problem.New(problem.BadRequest)
	}
	return nil
}

func (x *Exchange) checkEscapes(context.Context) *problem.Error {
	if signing.CheckEscapes(x.request.Path) != nil || signing.CheckEscapes(x.request.Query) != nil {
		return problem.New(problem.BadRequest)
	}
	return nil
}

func (x *Exchange) checkBody(context.Context) *problem.Error {
	if x.request.HasBody || x.request.announcesBody() {
		return problem.New(problem.BadRequest)
	}
	return nil
}

func (x *Exchange) checkRoute(context.Context) *problem.Error {
	operation, path, ok := x.p.Routes.Match(x.request.Path)
	if !ok {
		return problem.New(problem.NotFound)
	}
	x.operation, x.path = operation, path
	return nil
}

func (x *Exchange) checkFailures(context.Context) *problem.Error {
	if d := x.p.Failures.Peek(x.request.SourceIP, x.now); !d.Allowed {
		return problem.Retry(problem.RateLimited, d.RetryAfter)
	}
	return nil
}

// signedHeaders are the four headers, and the timestamp read.
type signedHeaders struct {
	signing.Headers
	time time.Time
}

func (x *Exchange) checkHeaders(context.Context) *problem.Error {
	headers, err := signing.ParseHeaders(x.request.Headers.get)
	if err != nil {
		return x.unauthorized(problem.ReasonMalformedHeader)
	}
	at, ok := signing.Time(headers.Timestamp)
	if !ok {
		return x.unauthorized(problem.ReasonMalformedHeader)
	}
	x.headers = signedHeaders{headers, at}
	return nil
}

// checkKey leaves no difference between a key that is unknown and one that is
// known, up to the read of the store: both cost a verification.
func (x *Exchange) checkKey(ctx context.Context) *problem.Error {
	credential, err := x.p.Credentials.Lookup(ctx, x.headers.Key)
	switch {
	case errors.Is(err, keys.ErrUnknown), err == nil && !credential.Valid(x.now):
		x.verify(nil)
		return x.unauthorized("")
	case err != nil:
		return problem.Because(problem.IntegrationsUnavailable, err)
	}
	x.credential = credential
	return nil
}

func (x *Exchange) checkTimestamp(context.Context) *problem.Error {
	if !signing.Fresh(x.headers.Timestamp, x.now) {
		x.verify(nil)
		return x.unauthorized("")
	}
	return nil
}

func (x *Exchange) checkSignature(context.Context) *problem.Error {
	if !x.verify(x.credential.Secrets()) {
		return x.unauthorized("")
	}
	return nil
}

// verify compares the signature in constant time; without secrets it costs the
// same and is false.
func (x *Exchange) verify(secrets []string) bool {
	canonical, err := signing.Message{
		Method: x.request.Method, Path: x.request.Path, Query: x.request.Query,
		Timestamp: x.headers.Timestamp, Nonce: x.headers.Nonce,
	}.Canonical()
	// Step 3 has refused what has no canonical string.
	return signing.Verify(secrets, canonical, x.headers.Signature) && err == nil
}

func (x *Exchange) checkNonce(ctx context.Context) *problem.Error {
	err := x.p.Nonces.Consume(ctx, limits.Nonce{
		KeyID: x.credential.ID, Value: x.headers.Nonce, RequestID: x.id, Timestamp: x.headers.time,
	})
	switch {
	case errors.Is(err, limits.ErrReplayed):
		return x.unauthorized("")
	case err != nil:
		return problem.Because(problem.ServiceUnavailable, err)
	}
	return nil
}

// unauthorized is the refusal of steps 7 to 11, counted for the caller (D2).
func (x *Exchange) unauthorized(reason string) *problem.Error {
	x.p.Failures.Count(x.request.SourceIP, x.now)
	return &problem.Error{Code: problem.Unauthorized, Reason: reason}
}

func (x *Exchange) checkAddress(context.Context) *problem.Error {
	address, err := netip.ParseAddr(x.request.SourceIP)
	if err != nil {
		address = netip.Addr{} // in no allowlist
	}
	if !x.credential.Allows(address) {
		return problem.New(problem.Forbidden)
	}
	return nil
}

func (x *Exchange) checkScopes(context.Context) *problem.Error {
	if !x.credential.HasScopes(x.operation.Scopes...) {
		return problem.New(problem.ScopeMissing)
	}
	return nil
}

func (x *Exchange) checkOrganization(ctx context.Context) *problem.Error {
	standing := x.ahead.awaitStanding(ctx)
	switch {
	case standing.err != nil:
		return problem.Because(problem.InternalError, standing.err)
	case !standing.good():
		return problem.New(problem.ProRequired)
	}
	return nil
}

func (x *Exchange) checkRate(context.Context) *problem.Error {
	x.rate = x.p.Rates.Take(x.credential.ID, x.now)
	x.rated = true
	if !x.rate.Allowed {
		return problem.Retry(problem.RateLimited, x.rate.RetryAfter)
	}
	return nil
}

func (x *Exchange) checkQuota(ctx context.Context) *problem.Error {
	d, err := x.p.Quotas.Take(ctx, limits.Quota{
		Organization: x.credential.Organization, Limit: x.credential.Quota(), Now: x.now,
	})
	switch {
	case err != nil:
		return problem.Because(problem.ServiceUnavailable, err)
	case !d.Allowed:
		return problem.Retry(problem.QuotaExceeded, d.RetryAfter)
	}
	return nil
}

func (x *Exchange) checkParameters(context.Context) *problem.Error { return x.argsFault }

func (x *Exchange) checkDescendants(context.Context) *problem.Error {
	if x.arguments.IncludeDescendants && !x.credential.Descendants {
		return problem.New(problem.Forbidden)
	}
	return nil
}

func (x *Exchange) readData(ctx context.Context) *problem.Error {
	reply := x.ahead.awaitData(ctx)
	if reply.err != nil {
		return problem.From(reply.err)
	}
	x.body = reply.body
	return nil
}
