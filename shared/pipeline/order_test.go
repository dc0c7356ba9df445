package pipeline_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/pipeline"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/problem"
	"touchline/shared/route"
)

// attempt is a request being put together: the world it meets, and its parts.
type attempt struct {
	*world
	method, path string
	query        []string
	nonce        string
	at           time.Time
	after        []func(*pipeline.Request) // what is broken after signing
}

func newAttempt(t *testing.T) *attempt {
	w := newWorld(t)
	return &attempt{world: w, method: "GET", path: listPath, nonce: "n", at: w.Time}
}

func (a *attempt) request() pipeline.Request {
	r := signAt(a.at, a.method, a.path, strings.Join(a.query, "&"), a.nonce)
	for _, f := range a.after {
		f(&r)
	}
	return r
}

func (a *attempt) tamper(f func(*pipeline.Request)) { a.after = append(a.after, f) }

// fault is one way to fail one row of D1.
type fault struct {
	step   int
	name   string
	arm    func(*testing.T, *attempt)
	status int
	code   problem.Code
	reason string
}

func (f fault) String() string { return fmt.Sprintf("%d %s", f.step, f.name) }

func down(context.Context) error { return errDown }

// faults lists D1's rows in order, most of them in several ways.
func faults() []fault {
	answer := func(f func() (route.Data[string], error)) func(*testing.T, *attempt) {
		return func(_ *testing.T, a *attempt) {
			a.handler.answer = func(context.Context, route.Call, listParams) (route.Data[string], error) { return f() }
		}
	}
	header := func(name, value string) func(*testing.T, *attempt) {
		return func(_ *testing.T, a *attempt) { a.tamper(func(r *pipeline.Request) { r.Headers.Set(name, value) }) }
	}
	key := func(edit func(*keys.Key)) func(*testing.T, *attempt) {
		return func(t *testing.T, a *attempt) { a.SetKey(t, edit) }
	}
	query := func(part string) func(*testing.T, *attempt) {
		return func(_ *testing.T, a *attempt) { a.query = append(a.query, part) }
	}
	return []fault{
		{1, "another method", func(_ *testing.T, a *attempt) { a.method = "POST" }, 405, "methodNotAllowed", ""},
		{1, "a method in lower case", func(_ *testing.T, a *attempt) { a.method = "get" }, 405, "methodNotAllowed", ""},
		{2, "a long target", query("q=" + strings.Repeat("x", 2048)), 400, "badRequest", ""},
		{3, "a malformed escape in the query", query("%zz"), 400, "badRequest", ""},
		{3, "a malformed escape in the path", func(_ *testing.T, a *attempt) { a.path += "%4" }, 400, "badRequest", ""},
		{4, "a body", func(_ *testing.T, a *attempt) { a.tamper(func(r *pipeline.Request) { r.HasBody = true }) }, 400, "badRequest", ""},
		{4, "an announced body", header("content-length", "1"), 400, "badRequest", ""},
		{5, "an unknown route", func(_ *testing.T, a *attempt) { a.path = "/v1/clubs/" + strings.TrimPrefix(a.path, "/v1/clubs") + "/x" }, 404, "notFound", ""},
		{6, "a blocked address", func(_ *testing.T, a *attempt) { a.block(pipelinetest.Caller) }, 429, "rateLimited", ""},
		{7, "a missing header", func(_ *testing.T, a *attempt) {
			a.tamper(func(r *pipeline.Request) { r.Headers.Del("x-service-nonce") })
		}, 401, "unauthorized", "malformedHeader"},
		{7, "a repeated header", func(_ *testing.T, a *attempt) {
			a.tamper(func(r *pipeline.Request) { r.Headers.Add("X-Service-Key", r.Headers.Get("X-Service-Key")) })
		}, 401, "unauthorized", "malformedHeader"},
		{7, "milliseconds", header("x-service-timestamp", "1773500966535"), 401, "unauthorized", "malformedHeader"},
		{8, "an unknown key", header("x-service-key", "tk_unknown"), 401, "unauthorized", ""},
		{8, "a revoked key", key(func(k *keys.Key) { at := k.CreatedAt; k.RevokedAt = &at }), 401, "unauthorized", ""},
		{8, "an expired key", key(func(k *keys.Key) { at := time.Unix(1, 0); k.ExpiresAt = &at }), 401, "unauthorized", ""},
		{8, "a competition's key", key(func(k *keys.Key) { k.ResourceType = "competition" }), 401, "unauthorized", ""},
		{8, "no credential store", func(_ *testing.T, a *attempt) { a.Credentials = failing{errDown} }, 503, "integrationsUnavailable", ""},
		{9, "an old timestamp", func(_ *testing.T, a *attempt) { a.at = a.Time.Add(-301 * time.Second) }, 401, "unauthorized", ""},
		{9, "a future timestamp", func(_ *testing.T, a *attempt) { a.at = a.Time.Add(301 * time.Second) }, 401, "unauthorized", ""},
		{10, "another signature", header("x-service-signature", strings.Repeat("ab", 32)), 401, "unauthorized", ""},
		{11, "a replayed nonce", func(t *testing.T, a *attempt) { a.spend(t) }, 401, "unauthorized", ""},
		{11, "no nonce store", func(_ *testing.T, a *attempt) { a.nonces.before = down }, 503, "serviceUnavailable", ""},
		{12, "another address", key(func(k *keys.Key) { k.Allowlist = []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")} }), 403, "forbidden", ""},
		{13, "a missing scope", key(func(k *keys.Key) { k.Scopes = []keys.Scope{keys.TeamsRead} }), 403, "scopeMissing", ""},
		{14, "an inactive organization", func(_ *testing.T, a *attempt) { a.standing.active = false }, 403, "proRequired", ""},
		{14, "a free plan", func(_ *testing.T, a *attempt) { a.standing.pro = false }, 403, "proRequired", ""},
		{14, "no organizations", func(_ *testing.T, a *attempt) { a.standing.err = errDown }, 500, "internalError", ""},
		{14, "a panic about organizations", func(_ *testing.T, a *attempt) { a.standing.panics = true }, 500, "internalError", ""},
		{15, "the rate", func(_ *testing.T, a *attempt) { a.exhaustRate() }, 429, "rateLimited", ""},
		{16, "the quota", key(func(k *keys.Key) { none := 0; k.MonthlyQuota = &none }), 429, "quotaExceeded", ""},
		{16, "no quota store", func(_ *testing.T, a *attempt) { a.quotas.before = down }, 503, "serviceUnavailable", ""},
		{17, "an unknown parameter", query("foo=1"), 400, "badRequest", ""},
		{17, "a page beyond the window", query("page=10001"), 400, "badRequest", ""},
		{18, "descendants without the option", func(t *testing.T, a *attempt) {
			a.query = append(a.query, "includeDescendants=true")
			a.SetKey(t, func(k *keys.Key) { k.Descendants = false })
		}, 403, "forbidden", ""},
		{19, "not found", answer(func() (route.Data[string], error) { return route.Data[string]{}, problem.New(problem.NotFound) }), 404, "notFound", ""},
		{20, "too large", answer(func() (route.Data[string], error) { return route.Data[string]{}, problem.TooLarge(5001, 5000) }), 422, "scopeTooLarge", ""},
		{21, "no sports data", answer(func() (route.Data[string], error) { return route.Data[string]{}, errDown }), 500, "internalError", ""},
		{21, "a panic about data", answer(func() (route.Data[string], error) { panic("secret-host") }), 500, "internalError", ""},
	}
}

// spend uses the nonce for another request.
func (a *attempt) spend(t *testing.T) {
	t.Helper()
	if err := a.nonces.NonceStore.Consume(t.Context(), limits.Nonce{
		KeyID: pipelinetest.KeyID, Value: a.nonce, RequestID: "another", Timestamp: a.Time,
	}); err != nil {
		t.Fatal(err)
	}
}

// outcome is what an answer and its effects show.
type outcome struct {
	Status           int
	Code             problem.Code
	Reason           string
	FailuresCounted  int
	NoncesConsumed   int
	RateCounted      int
	QuotaTaken       int
	RateHeaders      bool
	RetryAfterSent   bool
	RetryAfterHeader bool
}

// expected follows from D1 and D2 alone.
func (f fault) expected() outcome {
	count := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	o := outcome{Status: f.status, Code: f.code, Reason: f.reason}
	o.FailuresCounted = count(f.status == 401)
	o.NoncesConsumed = count(f.step > 11)
	o.RateCounted = count(f.step > 15)
	o.QuotaTaken = count(f.step > 16)
	o.RateHeaders = f.step >= 15
	o.RetryAfterSent, o.RetryAfterHeader = f.status == 429, f.status == 429
	return o
}

func (a *attempt) outcome(t *testing.T) outcome {
	t.Helper()
	// What the faults themselves have used up is not the request's doing.
	failures, rate := a.Failures.Peek(pipelinetest.Caller, a.Time).Remaining, a.Rates.Peek(pipelinetest.KeyID, a.Time).Remaining
	r := a.Serve(t.Context(), a.request())
	body := document(t, r)
	return outcome{
		Status: r.Status, Code: body.Code, Reason: body.Reason,
		FailuresCounted:  failures - a.Failures.Peek(pipelinetest.Caller, a.Time).Remaining,
		NoncesConsumed:   int(a.nonces.consumed.Load()),
		RateCounted:      rate - a.Rates.Peek(pipelinetest.KeyID, a.Time).Remaining,
		QuotaTaken:       int(a.quotas.taken.Load()),
		RateHeaders:      header(r, "X-RateLimit-Limit") != "" && header(r, "X-RateLimit-Remaining") != "" && header(r, "X-RateLimit-Reset") != "",
		RetryAfterSent:   body.RetryAfter > 0,
		RetryAfterHeader: header(r, "Retry-After") == fmt.Sprint(body.RetryAfter) && body.RetryAfter > 0,
	}
}

func TestEachFaultAnswersAsItsRow(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.String(), func(t *testing.T) {
			a := newAttempt(t)
			f.arm(t, a)
			if diff := cmp.Diff(f.expected(), a.outcome(t)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOfTwoFaultsTheEarlierRowAnswers(t *testing.T) {
	all := faults()
	for i, first := range all {
		for _, second := range all[i+1:] {
			if first.step == second.step {
				continue
			}
			t.Run(first.String()+" and "+second.String(), func(t *testing.T) {
				a := newAttempt(t)
				second.arm(t, a)
				first.arm(t, a)
				if diff := cmp.Diff(first.expected(), a.outcome(t)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestNoFaultIsAnAnswer(t *testing.T) {
	a := newAttempt(t)
	a.query = []string{"page=2&sort=-name&includeDescendants=true"}
	r := a.Serve(t.Context(), a.request())
	if r.Status != 200 || string(r.Body) != `{"data":"-name <&> 2"}` {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if a.nonces.consumed.Load() != 1 || a.quotas.taken.Load() != 1 || a.Rates.Peek(pipelinetest.KeyID, a.Time).Remaining != 59 {
		t.Error("a request costs one nonce, one of the rate and one of the quota")
	}
	want := []route.Call{{
		Organization: pipelinetest.Organization, Descendants: true, KeyID: pipelinetest.KeyID, Scopes: keys.AllScopes(),
		Alias: route.Clubs, ID: string(pipelinetest.Organization), Now: a.Time,
	}}
	if diff := cmp.Diff(want, a.handler.called()); diff != "" {
		t.Error(diff)
	}
}

// TestAPageIsRefusedBetweenTheRoutesAndWhatIsCounted: what a request is by itself answers
// first, and of a page nothing is counted.
func TestAPageIsRefusedBetweenTheRoutesAndWhatIsCounted(t *testing.T) {
	for _, f := range faults() {
		want := f.expected()
		if f.step > 5 {
			want = outcome{Status: 403, Code: problem.Forbidden}
		}
		a := newAttempt(t)
		a.RefusesPages = true
		f.arm(t, a)
		a.tamper(func(r *pipeline.Request) {
			r.Headers.Set("Origin", "https://page.example")
			r.Headers.Del("X-Service-Signature")
		})
		if diff := cmp.Diff(want, a.outcome(t)); diff != "" {
			t.Errorf("%v: %s", f, diff)
		}
	}
}

func TestWhatABrowserSendsForAPageIsKnown(t *testing.T) {
	for _, tt := range []struct {
		name    string
		headers []string // names and values by turns
		page    int      // the status of one that is not signed, where pages are refused
	}{
		{"a program", nil, 401},
		{"Node's fetch", []string{"Sec-Fetch-Mode", "cors"}, 401},
		{"a typed address", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, 401},
		{"an origin", []string{"Origin", "https://page.example"}, 403},
		{"the origin null", []string{"origin", "null"}, 403},
		{"an empty origin", []string{"Origin", ""}, 403},
		{"another site", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another port of this machine", []string{"sec-fetch-site", "same-site"}, 403},
		{"this address", []string{"Sec-Fetch-Site", "same-origin"}, 403},
		{"two values", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Site", "cross-site"}, 403},
	} {
		for name, want := range map[string]int{"pages served": 401, "pages refused": tt.page, "pages refused, signed": 200, "a preflight": 204} {
			a := newAttempt(t)
			a.RefusesPages = name != "pages served"
			a.tamper(func(r *pipeline.Request) {
				for i := 0; i < len(tt.headers); i += 2 {
					r.Headers.Add(tt.headers[i], tt.headers[i+1])
				}
				if want != 200 {
					r.Headers.Del("X-Service-Signature")
				}
				if want == 204 {
					r.Method = "OPTIONS"
				}
			})
			if got := a.Serve(t.Context(), a.request()); got.Status != want {
				t.Errorf("%s, %s: %d", tt.name, name, got.Status)
			}
			if l := a.line(t); want == 403 && (l.Why != accesslog.PageNotServed || l.Check != 0 || l.KeyID != "") {
				t.Errorf("%s: %+v", tt.name, l)
			}
		}
	}
}
