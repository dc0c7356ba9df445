package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/meter"
	"touchline/shared/pipeline"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/signing"
)

func TestEveryRequestHasOneLineThatSaysWhatRefusedIt(t *testing.T) {
	rows := pipeline.Checks()
	for _, f := range faults() {
		t.Run(f.String(), func(t *testing.T) {
			a := newAttempt(t)
			f.arm(t, a)
			r := a.Serve(t.Context(), a.request())
			if strings.Contains(string(r.Body), "secret-host") {
				t.Errorf("the response names the cause: %s", r.Body)
			}
			l := a.line(t)
			if l.Check != f.step || l.RefusedBy != rows[f.step-1] || !slices.Contains(accesslog.Words(), l.Why) {
				t.Errorf("refused by %d %q: %q", l.Check, l.RefusedBy, l.Why)
			}
			if l.RequestID != header(r, "X-Request-Id") || l.Status != f.status || l.Code != string(f.code) || l.Reason != f.reason || l.Bytes != len(r.Body) {
				t.Errorf("%+v", l)
			}
			if known := l.KeyID == pipelinetest.KeyID && l.Organization == string(pipelinetest.Organization); known != (f.step > 7 && f.name != "an unknown key" && f.name != "no credential store") {
				t.Errorf("key %q of %q", l.KeyID, l.Organization)
			}
			if wantRoute := f.step > 5; (l.Route == "/v1/{alias}/{id}/players") != wantRoute {
				t.Errorf("route %q", l.Route)
			}
			level := "INFO"
			if f.status >= 500 {
				level = "ERROR"
			}
			if l.Level != level || (l.Cause != "") != (f.status >= 500) || (l.Stack != "") != (l.Why == accesslog.Panicked) {
				t.Errorf("%s, cause %q, stack %q", l.Level, l.Cause, l.Stack)
			}
		})
	}
}

func TestAnAnswerHasALineWithoutARefusal(t *testing.T) {
	w := newWorld(t)
	request := w.sign(listPath, "", "n")
	request.GatewayID, request.InvocationID = "JKJaXmPLvHcESHA=", strings.Repeat("x", 65) // which is no id
	r := w.Serve(t.Context(), request)
	want := accesslog.Line{
		Time: w.Time, Level: "INFO", Msg: "request", RequestID: "request-1", GatewayRequestID: "JKJaXmPLvHcESHA=", Function: "test", Stage: "local",
		Method: "GET", Route: "/v1/{alias}/{id}/players", KeyID: pipelinetest.KeyID, Organization: string(pipelinetest.Organization),
		Status: 200, Bytes: len(r.Body), Cold: true,
		Keys: accesslog.LineUse{Calls: 1}, Secrets: accesslog.LineUse{Calls: 1}, Nonces: accesslog.LineUse{Calls: 1}, Quotas: accesslog.LineUse{Calls: 1},
	}
	if diff := cmp.Diff(want, w.line(t)); diff != "" {
		t.Error(diff)
	}
}

func TestWhyInDetail(t *testing.T) {
	set := func(name, value string) func(*testing.T, *attempt) {
		return func(_ *testing.T, a *attempt) { a.tamper(func(r *pipeline.Request) { r.Headers.Set(name, value) }) }
	}
	key := func(edit func(*keys.Key)) func(*testing.T, *attempt) {
		return func(t *testing.T, a *attempt) { a.SetKey(t, edit) }
	}
	tests := []struct {
		name string
		arm  func(*testing.T, *attempt)
		want accesslog.Why
	}{
		{"a long target", func(_ *testing.T, a *attempt) { a.query = []string{strings.Repeat("x", 3000)} },
			accesslog.Why{Word: accesslog.TargetTooLong, Bytes: len(listPath) + 3001, Limit: 2048}},
		{"an escape in the path", func(_ *testing.T, a *attempt) { a.path += "%" }, accesslog.Why{Word: accesslog.EscapeMalformed, In: "path"}},
		{"an escape in the query", func(_ *testing.T, a *attempt) { a.query = []string{"%"} }, accesslog.Why{Word: accesslog.EscapeMalformed, In: "query"}},
		{"failures", func(_ *testing.T, a *attempt) { a.block(pipelinetest.Caller) }, accesslog.Why{Word: accesslog.FailuresLimited, Limit: 20, RetryAfter: 60}},
		{"milliseconds", set("x-service-timestamp", "1773500966535"),
			accesslog.Why{Word: accesslog.HeaderMalformed, Header: "X-Service-Timestamp", Rule: "length"}},
		{"an empty nonce", set("x-service-nonce", ""), accesslog.Why{Word: accesslog.HeaderMalformed, Header: "X-Service-Nonce", Rule: "empty"}},
		{"the past", func(_ *testing.T, a *attempt) { a.at = a.Time.Add(-301 * time.Second) },
			accesslog.Why{Word: accesslog.TimestampSkewed, SkewSeconds: -301, CanonicalSHA256: "c141f172c79a2ba1", CanonicalBytes: 125}},
		{"the signature", set("x-service-signature", strings.Repeat("ab", 32)),
			accesslog.Why{Word: accesslog.SignatureWrong, CanonicalSHA256: "92226b26a990ebbb", CanonicalBytes: 125}},
		{"a key of another stage", set("x-service-key", "tk_AbCdEfGhIjKlMnOpQrSt"),
			accesslog.Why{Word: accesslog.KeyUnknown, KeyStart: "tk_AbCd", CanonicalSHA256: "92226b26a990ebbb", CanonicalBytes: 125}},
		{"a revoked key", key(func(k *keys.Key) { at := k.CreatedAt; k.RevokedAt = &at }),
			accesslog.Why{Word: accesslog.KeyRevoked, CanonicalSHA256: "92226b26a990ebbb", CanonicalBytes: 125}},
		{"an expired key", key(func(k *keys.Key) { at := k.CreatedAt; k.ExpiresAt = &at }),
			accesslog.Why{Word: accesslog.KeyExpired, CanonicalSHA256: "92226b26a990ebbb", CanonicalBytes: 125}},
		{"a competition's key", key(func(k *keys.Key) { k.ResourceType = "competition" }),
			accesslog.Why{Word: accesslog.KeyOfNoOrganization, CanonicalSHA256: "92226b26a990ebbb", CanonicalBytes: 125}},
		{"a secret as the key", set("x-service-key", strings.Repeat("S3cret", 7)+"_"),
			accesslog.Why{Word: accesslog.KeyUnknown, CanonicalSHA256: "92226b26a990ebbb", CanonicalBytes: 125}},
		{"a usual mistake", func(_ *testing.T, a *attempt) {
			a.tamper(func(r *pipeline.Request) { r.Headers.Set("x-service-signature", mistaken(a, strings.ToLower)) })
		}, accesslog.Why{Word: accesslog.SignatureWrong, CanonicalSHA256: "92226b26a990ebbb", CanonicalBytes: 125, Mistake: "methodLowerCase"}},
		{"the whole URL", func(_ *testing.T, a *attempt) {
			a.tamper(func(r *pipeline.Request) {
				r.Host = "api.example.org"
				r.Headers.Set("x-service-signature", mistaken(a, func(text string) string {
					return strings.Replace(text, listPath, "https://api.example.org"+listPath, 1)
				}))
			})
		}, accesslog.Why{Word: accesslog.SignatureWrong, CanonicalSHA256: "92226b26a990ebbb", CanonicalBytes: 125, Mistake: "fullURL"}},
		{"a replay", func(t *testing.T, a *attempt) { a.spend(t) }, accesslog.Why{Word: accesslog.NonceUsed, UsedBy: "another"}},
		{"a scope", key(func(k *keys.Key) { k.Scopes = nil }), accesslog.Why{Word: accesslog.ScopeMissing, Scope: "players:read"}},
		{"an organization without anything", func(_ *testing.T, a *attempt) { a.standing.active, a.standing.pro = false, false },
			accesslog.Why{Word: accesslog.OrganizationUnknown}},
		{"the rate", func(_ *testing.T, a *attempt) { a.exhaustRate() }, accesslog.Why{Word: accesslog.RateSpent, Limit: 60, RetryAfter: 60}},
		{"the quota", func(t *testing.T, a *attempt) {
			a.SetKey(t, func(k *keys.Key) { one := 1; k.MonthlyQuota = &one })
			if _, err := a.quotas.QuotaStore.Take(t.Context(), limits.Quota{Organization: pipelinetest.Organization, Limit: 1, Now: a.Time}); err != nil {
				t.Fatal(err)
			}
		}, accesslog.Why{Word: accesslog.QuotaSpent, Limit: 1, RetryAfter: 1500634}},
		{"a page", func(_ *testing.T, a *attempt) { a.query = []string{"page=0"} },
			accesslog.Why{Word: accesslog.ParameterInvalid, Parameter: "page", Rule: "value"}},
		{"a page beyond the window", func(_ *testing.T, a *attempt) { a.query = []string{"page=101", "limit=100"} },
			accesslog.Why{Word: accesslog.ParameterInvalid, Parameter: "page", Rule: "window", Limit: 10000}},
		{"a limit", func(_ *testing.T, a *attempt) { a.query = []string{"limit=101"} },
			accesslog.Why{Word: accesslog.ParameterInvalid, Parameter: "limit", Rule: "value", Limit: 100}},
		{"a page without a value", func(_ *testing.T, a *attempt) { a.query = []string{"page="} },
			accesslog.Why{Word: accesslog.ParameterInvalid, Parameter: "page", Rule: "empty"}},
		{"a page twice", func(_ *testing.T, a *attempt) { a.query = []string{"page=1", "page=1"} },
			accesslog.Why{Word: accesslog.ParameterInvalid, Parameter: "page", Rule: "repeated"}},
		{"a list of too many organizations", func(_ *testing.T, a *attempt) {
			a.handler.answer = func(context.Context, route.Call, listParams) (route.Data[string], error) {
				return route.Data[string]{}, problem.TooLarge(5001, 5000)
			}
		}, accesslog.Why{Word: accesslog.TooManyOrganizations, Organizations: 5001, Limit: 5000}},
		{"a secret that cannot be opened", func(_ *testing.T, a *attempt) {
			a.Credentials = failing{&keys.OpenError{KeyID: pipelinetest.KeyID, Err: keys.ErrSealed}}
		}, accesslog.Why{Word: accesslog.StoreFailed, Store: "secrets"}},
		{"a quota that takes too long", func(_ *testing.T, a *attempt) {
			a.quotas.before = func(context.Context) error { return context.DeadlineExceeded }
		}, accesslog.Why{Word: accesslog.TimedOut, Store: "quotas"}},
		{"a parameter of the caller's own", func(_ *testing.T, a *attempt) { a.query = []string{"foo=1"} },
			accesslog.Why{Word: accesslog.ParameterUnknown}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newAttempt(t)
			tt.arm(t, a)
			a.Serve(t.Context(), a.request())
			l := a.line(t)
			got := l.Details
			got.Word = l.Why
			if l.Check > 7 && l.Why != accesslog.KeyUnknown && l.KeyID != pipelinetest.KeyID {
				t.Errorf("of key %q", l.KeyID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// mistaken signs a changed string for the attempt's GET. Its path, nonce and hash
// have no capitals.
func mistaken(a *attempt, change func(string) string) string {
	m := signing.Message{Method: "GET", Path: a.path, Timestamp: strconv.FormatInt(a.at.Unix(), 10), Nonce: a.nonce}
	text, err := m.Canonical()
	if err != nil {
		panic(err)
	}
	return signing.Sign(pipelinetest.Secret, change(text))
}

// A caller who signed in a known wrong way gets the same response as every
// other one.
func TestTheMistakeShowsInTheLogAlone(t *testing.T) {
	answers := map[string]bool{}
	for _, signature := range []func(*attempt) string{
		func(a *attempt) string { return mistaken(a, strings.ToLower) },
		func(*attempt) string { return strings.Repeat("ab", 32) },
	} {
		a := newAttempt(t)
		a.tamper(func(r *pipeline.Request) { r.Headers.Set("x-service-signature", signature(a)) })
		r := a.Serve(t.Context(), a.request())
		answers[fmt.Sprintf("%d %v %s", r.Status, r.Headers, r.Body)] = true
		if a.nonces.consumed.Load() != 0 || a.Failures.Peek(pipelinetest.Caller, a.Time).Remaining != 19 {
			t.Error("the request has used its nonce, or is no failure of its caller")
		}
	}
	if len(answers) != 1 {
		t.Errorf("%v", answers)
	}
}

// canary is in everything that a caller sends and nothing else.
const canary = "canary"

// TestNoLineHoldsWhatACallerSent puts a canary everywhere a caller can put one,
// and fails in every way there is.
func TestNoLineHoldsWhatACallerSent(t *testing.T) {
	queries := []string{"", "sort=" + canary, canary + "=1", "page=" + canary, "limit=10&limit=" + canary, "%63anary=%63anary"}
	for _, f := range faults() {
		for _, query := range queries {
			a := newAttempt(t)
			a.path = "/v1/clubs/" + canary + "/players"
			a.nonce = canary
			if query != "" {
				a.query = []string{query}
			}
			f.arm(t, a)
			r := a.request()
			if f.step == 1 {
				r.Method = canary
			}
			if f.name == "an unknown key" {
				r.Headers.Set("x-service-key", canary)
			}
			for _, name := range []string{"authorization", "cookie", "user-agent", "x-forwarded-for", "x-" + canary} {
				r.Headers.Set(name, canary)
			}
			signature := r.Headers.Get("x-service-signature")
			a.Serve(t.Context(), r)
			a.line(t)
			log := a.Log.String()
			for _, sent := range []string{canary, pipelinetest.Secret, signature, pipelinetest.Caller} {
				if strings.Contains(log, sent) {
					t.Errorf("%v %q: the line holds %s: %s", f, query, sent, log)
				}
			}
		}
	}
}

func TestACauseDoesNotTellWhatTheCallerSent(t *testing.T) {
	leak := func(r pipeline.Request) error {
		return fmt.Errorf("%+v, decoded -name of sort", r)
	}
	tests := map[string]func(*attempt, error){
		"keys":   func(a *attempt, err error) { a.Credentials = failing{err} },
		"nonces": func(a *attempt, err error) { a.nonces.before = func(context.Context) error { return err } },
		"quotas": func(a *attempt, err error) { a.quotas.before = func(context.Context) error { return err } },
		"data": func(a *attempt, err error) {
			a.handler.answer = func(context.Context, route.Call, listParams) (route.Data[string], error) {
				return route.Data[string]{}, err
			}
		},
		"panic": func(a *attempt, err error) {
			a.handler.answer = func(context.Context, route.Call, listParams) (route.Data[string], error) { panic(err) }
		},
	}
	for name, arm := range tests {
		t.Run(name, func(t *testing.T) {
			a := newAttempt(t)
			a.path, a.nonce, a.query = "/v1/clubs/"+canary+"-id/players", canary+"-nonce", []string{"sort=-name"}
			r := a.request()
			arm(a, leak(r))
			a.Serve(t.Context(), r)
			if l := a.line(t); !strings.HasSuffix(l.Cause, "decoded [hidden] of sort") || l.Status < 500 {
				t.Errorf("%d, cause %q", l.Status, l.Cause)
			}
			for _, sent := range []string{canary, r.Headers.Get("x-service-signature"), r.Headers.Get("x-service-timestamp"), "-name", pipelinetest.Caller} {
				if strings.Contains(a.Log.String(), sent) {
					t.Errorf("the line holds %s: %s", sent, a.Log)
				}
			}
		})
	}
}

// failing are credentials that cannot be had.
type failing struct{ err error }

func (f failing) Lookup(context.Context, string) (*keys.Credential, error) {
	return nil, fmt.Errorf("%w: %w", keys.ErrUnavailable, f.err)
}

func TestTheRowsAreThoseOfTheContract(t *testing.T) {
	names := pipeline.Checks()
	once := map[string]bool{"": true}
	for _, name := range names {
		if once[name] {
			t.Errorf("%q is there twice, or empty", name)
		}
		once[name] = true
	}
	text, err := os.ReadFile("../spec/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| .*$`).FindAllStringSubmatch(string(text), -1)
	if len(rows) != len(names) {
		t.Fatalf("D1 has %d rows, the pipeline %d", len(rows), len(names))
	}
	// A word of the row that the name stands for.
	says := []string{"method", "bytes", "%", "body", "matches a route", "failed-authentication", "headers", "key exists", "timestamp",
		"signature", "nonce", "allowlist", "scopes", "organization", "rate limit", "quota", "query keys", "includeDescendants", "id filters", "scope sizes", "the data"}
	for i, row := range rows {
		if row[1] != fmt.Sprint(i+1) || !strings.Contains(row[0], says[i]) {
			t.Errorf("%s is not about %s (%s)", row[0], says[i], names[i])
		}
	}
}

func TestWhatIsReadWhileTheLineIsWrittenIsNoRace(t *testing.T) {
	a := newAttempt(t)
	reading, end := newSignal(), newSignal()
	a.nonces.before = func(ctx context.Context) error { return errors.Join(reading.wait(ctx), errDown) }
	a.handler.answer = func(ctx context.Context, _ route.Call, _ listParams) (route.Data[string], error) {
		for ctx.Err() == nil {
			call := meter.Begin(ctx, meter.Sports)
			meter.Units(ctx, meter.Sports, 0.5, 0)
			reading.set()
			call.End(1)
		}
		end.set()
		return route.Data[string]{}, ctx.Err()
	}
	a.Serve(t.Context(), a.request())
	if err := end.wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	l := a.line(t)
	if math.Abs(l.Sports.ReadUnits-float64(l.Sports.Calls)/2) > 0.5 || l.Sports.ReadUnits == 0 {
		t.Errorf("%+v", l.Sports)
	}
}

func TestOnlyTheFirstRequestIsCold(t *testing.T) {
	w := newWorld(t)
	for i := range 3 {
		w.Serve(t.Context(), w.sign(listPath, "", fmt.Sprint("n", i)))
	}
	if text := w.Log.String(); strings.Count(text, "\n") != 3 || strings.Count(text, `"cold":true`) != 1 || !strings.Contains(strings.SplitN(text, "\n", 2)[0], `"cold":true`) {
		t.Error(text)
	}
}

func FuzzALineHoldsNothingOfTheRequest(f *testing.F) {
	f.Add("GET", "x", "y=1", "tk", "n", "s", "192.0.2.1", 0)
	f.Add("\n", "%zz", "&&=", "\x00", ",", "\"}", "::1", 3)
	all := faults()
	f.Fuzz(func(t *testing.T, method, path, query, key, nonce, other, ip string, at int) {
		a := newAttempt(t)
		arm := all[((at%len(all))+len(all))%len(all)]
		a.path = "/v1/clubs/" + canary + strings.ReplaceAll(path, "/", "") + "/players"
		arm.arm(t, a)
		r := a.request()
		r.Method, r.Query, r.SourceIP, r.GatewayID, r.InvocationID = canary+method, canary+query, canary+ip, canary+" "+other, canary+"\n"+other
		if len(method)%2 == 0 {
			r.Method = "GET"
		}
		r.Headers.Set("X-Service-Key", canary+key)
		r.Headers.Set("X-Service-Nonce", canary+nonce)
		r.Headers.Set("x-"+other, canary+other)
		a.Serve(t.Context(), r)
		a.line(t)
		if strings.Contains(a.Log.String(), canary) {
			t.Errorf("%s", a.Log)
		}
	})
}
