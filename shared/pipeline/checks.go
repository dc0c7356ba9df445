package pipeline

import (
	"context"
	"errors"
	"net/http"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/meter"
	"touchline/shared/problem"
	"touchline/shared/signing"
	"touchline/shared/store/generation"
)

// check is one row of D1: its number, a name for the log, and what it does: it
// returns the refusal, or nil where the next check is to go on.
type check struct {
	number int // 0: none of the rows
	name   string
	run    func(*Exchange, context.Context) *refusal
}

// refusal is why a request goes no further: what its caller learns, and what
// the log says.
type refusal struct {
	*problem.Error
	why accesslog.Why
}

func refuse(code problem.Code, word accesslog.Word) *refusal {
	return &refusal{problem.New(code), accesslog.Why{Word: word}}
}

// screening is D1, steps 1 to 4.
func screening() [4]check {
	return [...]check{
		{1, "method", (*Exchange).checkMethod},
		{2, "length", (*Exchange).checkLength},
		{3, "escapes", (*Exchange).checkEscapes},
		{4, "body", (*Exchange).checkBody},
	}
}

// serving is D1, steps 5 to 21.
func serving() [18]check {
	return [...]check{
		{5, "route", (*Exchange).checkRoute},
		{6, "failures", (*Exchange).checkFailures},
		{7, "headers", (*Exchange).checkHeaders},
		{8, "key", (*Exchange).checkKey},
		{9, "timestamp", (*Exchange).checkTimestamp},
		{10, "signature", (*Exchange).checkSignature},
		{0, "", (*Exchange).goAhead}, // begins what does not depend on the writes
		{11, "nonce", (*Exchange).checkNonce},
		{12, "address", (*Exchange).checkAddress},
		{13, "scopes", (*Exchange).checkScopes},
		{organizationCheck, "organization", (*Exchange).checkOrganization},
		{15, "rate", (*Exchange).checkRate},
		{16, "quota", (*Exchange).checkQuota},
		{17, "parameters", (*Exchange).checkParameters},
		{18, "descendants", (*Exchange).checkDescendants},
		{idsCheck, "ids", (*Exchange).checkIDs}, // from here on the handler's, in one answer
		{20, "scopeSize", (*Exchange).checkScopeSize},
		{21, "data", (*Exchange).checkData},
	}
}

// Checks lists D1's rows, as the log names them.
func Checks() []accesslog.Check {
	var rows []accesslog.Check
	first, rest := screening(), serving()
	for _, c := range append(first[:], rest[:]...) {
		if c.number != 0 {
			rows = append(rows, accesslog.Check{Number: c.number, Name: c.name})
		}
	}
	return rows
}

func (x *Exchange) checkMethod(context.Context) *refusal {
	if x.request.Method != http.MethodGet && x.request.Method != http.MethodHead {
		return refuse(problem.MethodNotAllowed, accesslog.MethodNotServed)
	}
	return nil
}

func (x *Exchange) checkLength(context.Context) *refusal {
	if n := x.request.targetLength(); n > maxTarget {
		return &refusal{problem.New(problem.BadRequest), accesslog.Why{
			Word: accesslog.TargetTooLong, Bytes: n, Limit: maxTarget,
		}}
	}
	return nil
}

func (x *Exchange) checkEscapes(context.Context) *refusal {
	in := ""
	switch {
	case signing.CheckEscapes(x.request.Path) != nil:
		in = "path"
	case signing.CheckEscapes(x.request.Query) != nil:
		in = "query"
	default:
		return nil
	}
	return &refusal{problem.New(problem.BadRequest), accesslog.Why{Word: accesslog.EscapeMalformed, In: in}}
}

func (x *Exchange) checkBody(context.Context) *refusal {
	if x.request.HasBody || x.request.announcesBody() {
		return refuse(problem.BadRequest, accesslog.BodyPresent)
	}
	return nil
}

func (x *Exchange) checkRoute(context.Context) *refusal {
	operation, path, ok := x.p.Routes.Match(x.request.Path)
	if !ok {
		return refuse(problem.NotFound, accesslog.RouteUnknown)
	}
	x.operation, x.path = operation, path
	return nil
}

func (x *Exchange) checkFailures(context.Context) *refusal {
	if d := x.p.Failures.Peek(x.request.SourceIP, x.now); !d.Allowed {
		return limited(problem.RateLimited, accesslog.FailuresLimited, d)
	}
	return nil
}

func limited(code problem.Code, word accesslog.Word, d limits.Decision) *refusal {
	return &refusal{problem.Retry(code, d.RetryAfter), accesslog.Why{Word: word, Limit: d.Limit, RetryAfter: d.RetryAfter}}
}

func (x *Exchange) checkHeaders(context.Context) *refusal {
	headers, err := signing.ParseHeaders(x.request.Headers.get)
	if err == nil {
		x.headers = headers
		return nil
	}
	why := accesslog.Why{Word: accesslog.HeaderMalformed}
	if e, ok := errors.AsType[*signing.HeaderError](err); ok {
		why.Header, why.Rule = e.Header, string(e.Rule)
	}
	return x.unauthorized(problem.ReasonMalformedHeader, why)
}

// checkKey leaves no difference between a key that is unknown and one that is
// known, up to the read of the store: both cost a verification, and what the log
// says of it.
func (x *Exchange) checkKey(ctx context.Context) *refusal {
	credential, err := x.p.Credentials.Lookup(ctx, x.headers.Key)
	switch {
	case errors.Is(err, keys.ErrUnknown):
		return x.unverified(nil, accesslog.Why{Word: accesslog.KeyUnknown, KeyStart: keys.Start(x.headers.Key)})
	case err != nil:
		return x.keyFault(err)
	}
	x.credential = credential
	if !credential.Valid(x.now) {
		return x.unverified(nil, accesslog.Why{Word: invalidity(credential)})
	}
	return nil
}

func invalidity(c *keys.Credential) accesslog.Word {
	switch {
	case c.RevokedAt != nil:
		return accesslog.KeyRevoked
	case c.ResourceType != keys.ResourceOrganization:
		return accesslog.KeyOfNoOrganization
	}
	return accesslog.KeyExpired
}

func (x *Exchange) checkTimestamp(context.Context) *refusal {
	if signing.Fresh(x.headers.Timestamp, x.now) {
		return nil
	}
	return x.unverified(nil, accesslog.Why{
		Word: accesslog.TimestampSkewed, SkewSeconds: x.timestamp().Unix() - x.now.Unix(),
	})
}

func (x *Exchange) checkSignature(context.Context) *refusal {
	return x.unverified(x.credential.Secrets(), accesslog.Why{Word: accesslog.SignatureWrong})
}

func (x *Exchange) checkNonce(ctx context.Context) *refusal {
	err := x.p.Nonces.Consume(ctx, x.nonce())
	if err == nil || errors.Is(err, limits.ErrReplayed) {
		x.p.Known.Use(x.nonce())
	}
	switch {
	case errors.Is(err, limits.ErrReplayed):
		why := accesslog.Why{Word: accesslog.NonceUsed}
		if e, ok := errors.AsType[*limits.ReplayedError](err); ok {
			why.UsedBy = e.RequestID
		}
		return x.unauthorized("", why)
	case err != nil:
		return fault(problem.ServiceUnavailable, meter.Nonces, err)
	}
	return nil
}

func (x *Exchange) nonce() limits.Nonce {
	return limits.Nonce{KeyID: x.credential.ID, Value: x.headers.Nonce, RequestID: x.id, Timestamp: x.timestamp()}
}

func (x *Exchange) checkAddress(context.Context) *refusal {
	if !x.credential.Allows(limits.ParseCaller(x.request.SourceIP)) { // what is no address is in no allowlist
		return refuse(problem.Forbidden, accesslog.AddressNotAllowed)
	}
	return nil
}

func (x *Exchange) checkScopes(context.Context) *refusal {
	for _, scope := range x.operation.Scopes {
		if !x.credential.HasScopes(scope) {
			return &refusal{problem.New(problem.ScopeMissing), accesslog.Why{
				Word: accesslog.ScopeMissing, Scope: string(scope),
			}}
		}
	}
	return nil
}

func (x *Exchange) checkOrganization(ctx context.Context) *refusal {
	if x.ahead == nil { // the nonce was taken for a used one
		x.begin(ctx, false)
	}
	standing, state := x.ahead.awaitStanding(ctx)
	_, other := errors.AsType[*generation.OtherError](state.err)
	switch x.state = state.State; {
	case other && !x.operation.ShowsData(): // whose standing cannot be read either
		x.ahead.withData = x.ahead.withData && standing.good()
		return nil
	case other:
		return &refusal{problem.Because(problem.ServiceUnavailable, state.err), accesslog.Why{Word: accesslog.OtherLayout, Store: meter.Sports.String()}}
	case standing.err != nil:
		return fault(problem.InternalError, meter.Sports, standing.err)
	case state.err != nil && x.operation.ShowsData():
		return fault(problem.InternalError, meter.Sports, state.err)
	case standing.good():
		return nil
	case standing.active:
		return refuse(problem.ProRequired, accesslog.OrganizationWithoutPlan)
	case standing.pro:
		return refuse(problem.ProRequired, accesslog.OrganizationInactive)
	}
	return refuse(problem.ProRequired, accesslog.OrganizationUnknown)
}

func (x *Exchange) checkRate(context.Context) *refusal {
	x.rate = x.p.Rates.Take(x.credential.ID, x.now)
	x.rated = true
	if !x.rate.Allowed {
		return limited(problem.RateLimited, accesslog.RateSpent, x.rate)
	}
	return nil
}

func (x *Exchange) checkQuota(ctx context.Context) *refusal {
	d, err := x.p.Quotas.Take(ctx, limits.Quota{
		Organization: x.credential.Organization, Limit: x.credential.Quota(), Now: x.now, RequestID: x.id,
	})
	switch {
	case err != nil:
		return fault(problem.ServiceUnavailable, meter.Quotas, err)
	case !d.Allowed:
		x.p.Known.Spend(x.credential.Organization, x.now)
		return limited(problem.QuotaExceeded, accesslog.QuotaSpent, d)
	}
	return nil
}

func (x *Exchange) checkParameters(context.Context) *refusal {
	if x.argsFault == nil {
		return nil
	}
	return &refusal{x.argsFault, x.whyParameters()}
}

func (x *Exchange) checkDescendants(context.Context) *refusal {
	if x.arguments.IncludeDescendants && !x.credential.Descendants {
		return refuse(problem.Forbidden, accesslog.DescendantsNotAllowed)
	}
	return nil
}

// checkIDs awaits the handler's answer, on which the checks after it look, too.
func (x *Exchange) checkIDs(ctx context.Context) *refusal {
	reply := x.ahead.awaitData(ctx)
	x.body = reply.body
	if reply.err != nil {
		x.dataFault = problem.From(reply.err)
	}
	if e := x.dataFault; e != nil && e.Code == problem.NotFound && e.Missing != problem.MissingSeason {
		return &refusal{e, accesslog.Why{Word: accesslog.NotFound, What: e.Missing}}
	}
	return nil
}

func (x *Exchange) checkScopeSize(context.Context) *refusal {
	if e := x.dataFault; e != nil && e.Code == problem.ScopeTooLarge {
		why := accesslog.Why{Word: accesslog.TooManyOrganizations, Organizations: e.Organizations}
		if e.Details != nil && e.Details.Max != nil {
			why.Limit = *e.Details.Max
		}
		return &refusal{e, why}
	}
	return nil
}

func (x *Exchange) checkData(context.Context) *refusal {
	e := x.dataFault
	switch {
	case e == nil:
		return nil
	case e.Code == problem.NotFound:
		return &refusal{e, accesslog.Why{Word: accesslog.NotFound, What: e.Missing}}
	}
	if large, ok := errors.AsType[*tooLargeError](e.Cause); ok {
		return &refusal{e, accesslog.Why{Word: accesslog.AnswerTooLarge, Bytes: large.bytes, Limit: large.limit}}
	}
	return &refusal{e, whyFault(meter.Sports, e.Cause)}
}
