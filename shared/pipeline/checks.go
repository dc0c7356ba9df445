package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/meter"
	"touchline/shared/problem"
	"touchline/shared/signing"
)

// check is one row of D1: its number, a name for the log, and what it does: it
// returns the refusal, or nil where the next check is to go on.
type check struct {
	number int
	name   string
	run    func(*exchange, context.Context) *refusal
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

// checks are D1's steps but for the first, which refuses nothing.
func checks() [21]check {
	return [...]check{
		{1, "method", (*exchange).checkMethod},
		{2, "length", (*exchange).checkLength},
		{3, "escapes", (*exchange).checkEscapes},
		{4, "body", (*exchange).checkBody},
		{5, "route", (*exchange).checkRoute},
		{failuresCheck, "failures", (*exchange).checkFailures},
		{7, "headers", (*exchange).checkHeaders},
		{8, "key", (*exchange).checkKey},
		{9, "timestamp", (*exchange).checkTimestamp},
		{10, "signature", (*exchange).checkSignature},
		{nonceCheck, "nonce", (*exchange).checkNonce}, // the first write; prefetch comes before it
		{12, "address", (*exchange).checkAddress},
		{13, "scopes", (*exchange).checkScopes},
		{organizationCheck, "organization", (*exchange).checkOrganization},
		{15, "rate", (*exchange).checkRate},
		{16, "quota", (*exchange).checkQuota},
		{17, "parameters", (*exchange).checkParameters},
		{18, "descendants", (*exchange).checkDescendants},
		{idsCheck, "ids", (*exchange).checkIDs}, // from here on the handler's, in one reply
		{20, "scopeSize", (*exchange).checkScopeSize},
		{21, "data", (*exchange).checkData},
	}
}

// The check before which pages are refused, that before which prefetch begins to read, and those that are the first to need
// what it has begun: the standing of the key's organization, and the data.
const (
	failuresCheck     = 6
	nonceCheck        = 11
	organizationCheck = 14
	idsCheck          = 19
)

// Checks are the names of D1's rows in the log, in their order.
func Checks() (names []string) {
	for _, c := range checks() {
		names = append(names, c.name)
	}
	return names
}

func (x *exchange) checkMethod(context.Context) *refusal {
	if x.request.Method != http.MethodGet && x.request.Method != http.MethodHead {
		return refuse(problem.MethodNotAllowed, accesslog.MethodNotServed)
	}
	return nil
}

// maxTarget is the longest request target in bytes: path, question mark, query
// (read-api, Limits, URL length; D1 step 2).
const maxTarget = 2048

func (x *exchange) checkLength(context.Context) *refusal {
	if n := x.request.targetLength(); n > maxTarget {
		return &refusal{problem.New(problem.BadRequest), accesslog.Why{
			Word: accesslog.TargetTooLong, Bytes: n, Limit: maxTarget,
		}}
	}
	return nil
}

func (r *Request) targetLength() int {
	if r.Query == "" {
		return len(r.Path)
	}
	return len(r.Path) + len("?") + len(r.Query)
}

func (x *exchange) checkEscapes(context.Context) *refusal {
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

func (x *exchange) checkBody(context.Context) *refusal {
	if x.request.HasBody || x.request.announcesBody() {
		return refuse(problem.BadRequest, accesslog.BodyPresent)
	}
	return nil
}

// announcesBody reports a Content-Length other than zero; one that is no number
// announces something, too (D1 step 4).
func (r *Request) announcesBody() bool {
	length, present := r.header(headerContentLength)
	return present && strings.Trim(length, "0") != "" || present && length == ""
}

func (x *exchange) checkRoute(context.Context) *refusal {
	operation, path, ok := x.p.Routes.Match(x.request.Path)
	if !ok {
		return refuse(problem.NotFound, accesslog.RouteUnknown)
	}
	x.operation, x.path = operation, path
	return nil
}

// ofPage reports whether a browser sent a request for a web page. The page cannot
// leave these headers out. For an address that somebody typed the browser sends none
// of them, or the value none. Sec-Fetch-Mode says nothing: Node's fetch sends it. A
// request with a signature's header is of no page: the browser would have asked first,
// by a preflight, and no answer allows it (D87). So a server that hands the headers of
// its visitors on is answered.
func ofPage(h http.Header) bool {
	if len(h.Values(signing.HeaderSignature)) > 0 {
		return false
	}
	site := h.Values("Sec-Fetch-Site")
	return len(h.Values("Origin")) > 0 || slices.ContainsFunc(site, func(s string) bool { return s != "none" })
}

func (x *exchange) checkFailures(context.Context) *refusal {
	if d := x.p.Failures.Peek(x.request.SourceIP, x.now); !d.Allowed {
		return limited(problem.RateLimited, accesslog.FailuresLimited, d)
	}
	return nil
}

func limited(code problem.Code, word accesslog.Word, d limits.Decision) *refusal {
	return &refusal{problem.Retry(code, d.RetryAfter), accesslog.Why{Word: word, Limit: d.Limit, RetryAfter: d.RetryAfter}}
}

func (x *exchange) checkHeaders(context.Context) *refusal {
	headers, malformed := signing.ParseHeaders(x.request.header)
	if malformed == nil {
		x.headers = headers
		return nil
	}
	return x.unauthorized(problem.ReasonMalformedHeader, accesslog.Why{
		Word: accesslog.HeaderMalformed, Header: malformed.Header, Rule: string(malformed.Rule),
	})
}

// checkKey leaves no difference between a key that is unknown and one that is
// known, up to the read of the store: both cost a verification, and what the log
// says of it.
func (x *exchange) checkKey(ctx context.Context) *refusal {
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

func (x *exchange) checkTimestamp(context.Context) *refusal {
	if signing.Fresh(x.headers.Timestamp, x.now) {
		return nil
	}
	return x.unverified(nil, accesslog.Why{
		Word: accesslog.TimestampSkewed, SkewSeconds: x.timestamp().Unix() - x.now.Unix(),
	})
}

// timestamp is that of the header. Step 7 has refused anything else.
func (x *exchange) timestamp() time.Time {
	at, _ := signing.Time(x.headers.Timestamp)
	return at
}

func (x *exchange) checkSignature(context.Context) *refusal {
	return x.unverified(x.credential.Secrets(), accesslog.Why{Word: accesslog.SignatureWrong})
}

// unverified is nil where one of the secrets makes the request's signature, compared
// in constant time. Else it is a refusal for why; the log gets the canonical string's
// hash and the likely mistake with it. Without secrets it costs the same as with
// wrong ones.
func (x *exchange) unverified(secrets []string, why accesslog.Why) *refusal {
	message := signing.Message{
		Method: x.request.Method, Path: x.request.Path, Query: x.request.Query,
		Timestamp: x.headers.Timestamp, Nonce: x.headers.Nonce,
	}
	canonical, err := message.Canonical()
	// Step 3 has refused what has no canonical string.
	if signing.Verify(secrets, canonical, x.headers.Signature) && err == nil {
		return nil
	}
	sum := sha256.Sum256([]byte(canonical))
	why.CanonicalSHA256, why.CanonicalBytes = hex.EncodeToString(sum[:8]), len(canonical)
	why.Mistake = string(signing.FindMistake(secrets, signing.Refused{
		Message: message, Key: x.headers.Key, Host: x.request.Host, Signature: x.headers.Signature,
	}))
	return x.unauthorized("", why)
}

// unauthorized is the refusal of steps 7 to 11, counted for the caller (D2).
func (x *exchange) unauthorized(reason string, why accesslog.Why) *refusal {
	x.p.Failures.Count(x.request.SourceIP, x.now)
	return &refusal{&problem.Error{Code: problem.Unauthorized, Reason: reason}, why}
}

func (x *exchange) checkNonce(ctx context.Context) *refusal {
	err := x.p.Nonces.Consume(ctx, limits.Nonce{
		KeyID: x.credential.ID, Value: x.headers.Nonce, RequestID: x.id, Timestamp: x.timestamp(),
	})
	if e, replayed := errors.AsType[*limits.ReplayedError](err); replayed {
		return x.unauthorized("", accesslog.Why{Word: accesslog.NonceUsed, UsedBy: e.RequestID})
	}
	if err != nil {
		return fault(problem.ServiceUnavailable, meter.Nonces, err)
	}
	return nil
}
