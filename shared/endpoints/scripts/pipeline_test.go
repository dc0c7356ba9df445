package scripts

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/ping"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/pipeline"
	"touchline/shared/pipeline/pipelinetest"
)

// TestEveryAnswerOfThePipelineIsDocumented produces every status of ping, with
// both methods, and requests that match no operation.
func TestEveryAnswerOfThePipelineIsDocumented(t *testing.T) {
	const path = "/v1/ping"
	tests := []struct {
		name   string
		target string
		status int
		set    func(*testing.T, *documentedService)
		edit   func(*pipeline.Request)
	}{
		{"good", path, 200, nil, nil},
		{"an unknown parameter", path + "?page=1", 400, nil, nil},
		{"a malformed escape", path + "?a=%", 400, nil, nil},
		{"a body", path, 400, nil, func(r *pipeline.Request) { r.HasBody = true }},
		{"a long target elsewhere", "/v2/" + strings.Repeat("a", 2048), 400, nil, nil},
		{"no headers", path, 401, nil, func(r *pipeline.Request) { r.Headers = nil }},
		{"a wrong signature", path, 401, nil, func(r *pipeline.Request) {
			r.Headers.Set("x-service-signature", strings.Repeat("0", 64))
		}},
		{"an address that is not allowed", path, 403, func(t *testing.T, s *documentedService) {
			s.SetKey(t, func(k *keys.Key) { k.Allowlist = []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")} })
		}, nil},
		{"an organization without pro", path, 403, func(_ *testing.T, s *documentedService) {
			s.Organizations = pipelinetest.Standing{Active: true}
		}, nil},
		{"an unknown path", "/v1/pong", 404, nil, nil},
		{"the rate", path, 429, func(_ *testing.T, s *documentedService) {
			s.Rates = &limits.Windows[string]{Limit: 1, Length: limits.WindowLength}
			s.Rates.Take(pipelinetest.KeyID, s.Time)
		}, nil},
		{"the quota", path, 429, func(t *testing.T, s *documentedService) {
			s.SetKey(t, func(k *keys.Key) { k.MonthlyQuota = new(0) })
		}, nil},
		{"too many failures", path, 429, func(_ *testing.T, s *documentedService) {
			for range limits.FailureLimit {
				s.Failures.Count(pipelinetest.Caller, s.Time)
			}
		}, nil},
		{"a fault", path, 500, func(_ *testing.T, s *documentedService) {
			s.Organizations = pipelinetest.Standing{Err: errors.New("broken")}
		}, nil},
		{"no keys", path, 503, func(_ *testing.T, s *documentedService) { s.Credentials = noKeys{s.Credentials} }, nil},
		{"no nonces", path, 503, func(_ *testing.T, s *documentedService) {
			s.Nonces = noNonces{}
		}, nil},
	}
	var document *Document
	for _, tt := range tests {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			t.Run(method+" "+tt.name, func(t *testing.T) {
				s := newDocumented(t, ping.Operations(endpoints.Deps{})...)
				if document == nil {
					document = s.document
				}
				if tt.set != nil {
					tt.set(t, s)
				}
				x := s.exchange(t, method, tt.target, tt.edit)
				if x.Status != tt.status {
					t.Fatalf("status %d: %s", x.Status, x.Body)
				}
				if err := document.Check(x); err != nil {
					t.Error(err)
				}
			})
		}
	}
	for _, missing := range document.Unseen() {
		if strings.Contains(missing, path+" ") {
			t.Errorf("%s is documented and was not met", missing)
		}
	}
	if !slices.Contains(document.Unseen(), "GET /v1/matches/{id} 200") {
		t.Error("what was not asked for is not unseen")
	}
}

func TestOtherMethodsAreDocumented(t *testing.T) {
	s := newDocumented(t, ping.Operations(endpoints.Deps{})...)
	for method, status := range map[string]int{"OPTIONS": 204, "POST": 405, "DELETE": 405, "get": 405} {
		for _, target := range []string{"/v1/ping", "/"} {
			x := s.exchange(t, method, target, nil)
			if x.Status != status {
				t.Errorf("%s: status %d", method, x.Status)
			}
			if err := s.document.Check(x); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestWhatIsNotDocumentedFails(t *testing.T) {
	s := newDocumented(t, ping.Operations(endpoints.Deps{})...)
	replace := func(old, new string) func(*Exchange) {
		return func(x *Exchange) {
			changed := strings.Replace(string(x.Body), old, new, 1)
			if changed == string(x.Body) {
				t.Errorf("%s is not in %s", old, x.Body)
			}
			x.Body = []byte(changed)
		}
	}
	tests := []struct {
		name   string
		change func(*Exchange)
		says   string
	}{
		{"a field more", replace(`"keyId"`, `"secret":"s","keyId"`), "additional properties 'secret' not allowed"},
		{"a field next to data", replace(`{"data"`, `{"meta":{},"data"`), "'meta' not allowed"},
		{"a field less", replace(`"keyId":"tk_test",`, ``), "missing property 'keyId'"},
		{"null", replace(`"tk_test"`, `null`), "/data/keyId"},
		{"a string for a number", replace(`"apiVersion":1`, `"apiVersion":"1"`), "/data/apiVersion"},
		{"another version", replace(`"apiVersion":1`, `"apiVersion":2`), "/data/apiVersion"},
		{"an id in upper case", replace(`64b7f0c2`, `64B7F0C2`), "/data/resourceId"},
		{"a time without milliseconds", replace(`.535Z`, `Z`), "/data/serverTime"},
		{"not a time", replace(`2026-03-14T15`, `2026-03-14T25`), "/data/serverTime"},
		{"an unknown scope", replace(`teams:read`, `teams:write`), "/data/scopes"},
		{"no JSON", replace(`}`, ``), "not JSON"},
		{"something after the JSON", func(x *Exchange) { x.Body = append(x.Body, '{') }, "not JSON"},
		{"an undocumented status", func(x *Exchange) { x.Status = 201 }, "status 201 is not documented"},
		{"404 where nothing can be missing", func(x *Exchange) { x.Status = 404 }, "status 404 is not documented"},
		{"another media type", func(x *Exchange) { x.Header.Set("Content-Type", "text/html") }, "Content-Type"},
		{"a header more", func(x *Exchange) { x.Header.Set("Access-Control-Allow-Origin", "*") }, "Access-Control-Allow-Origin is not documented"},
		{"a header less", func(x *Exchange) { x.Header.Del("X-RateLimit-Reset") }, "X-RateLimit-Reset is missing"},
		{"a header twice", func(x *Exchange) { x.Header.Add("X-Request-Id", "a") }, "X-Request-Id is there 2 times"},
		{"a request id that is no UUID", func(x *Exchange) { x.Header.Set("X-Request-Id", "1") }, "X-Request-Id"},
		{"a rate that is no number", func(x *Exchange) { x.Header.Set("X-RateLimit-Limit", "many") }, "X-RateLimit-Limit"},
		{"a rate below 0", func(x *Exchange) { x.Header.Set("X-RateLimit-Remaining", "-1") }, "X-RateLimit-Remaining"},
		{"a parameter that was accepted", func(x *Exchange) { x.Target += "?page=1" }, `"page" is not documented`},
		{"a request without a nonce", func(x *Exchange) { x.Sent.Del("X-Service-Nonce") }, "X-Service-Nonce"},
		{"a body of HEAD", func(x *Exchange) { x.Method = "HEAD" }, "there is a body"},
		{"a path that there is not", func(x *Exchange) { x.Target = "/v2/ping" }, "status 200 is not documented"},
		{"a method that there is not", func(x *Exchange) { x.Method = "PUT" }, "status 200 is not documented"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := s.exchange(t, "GET", "/v1/ping", nil)
			tt.change(&x)
			if err := s.document.Check(x); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v does not say %q", err, tt.says)
			}
		})
	}
}

func TestBodiesAloneAreChecked(t *testing.T) {
	d := newDocument(t)
	tests := []struct {
		name, target string
		status       int
		body         string
		says         string // empty: as documented
	}{
		{"a list", "/v1/clubs/x/teams", 200, `{"data":[],"page":1,"limit":25,"total":0,"hasMore":false}`, ""},
		{"a list with a page of 0", "/v1/clubs/x/teams", 200, `{"data":[],"page":0,"limit":25,"total":0,"hasMore":false}`, "/page"},
		{"a list of null", "/v1/clubs/x/teams", 200, `{"data":null,"page":1,"limit":25,"total":0,"hasMore":false}`, "/data"},
		{"a list of nulls", "/v1/clubs/x/teams", 200, `{"data":[null],"page":1,"limit":25,"total":0,"hasMore":false}`, "/data/0"},
		{"a tree of null", "/v1/clubs/x/tree", 200, `{"data":null}`, "/data"},
		{"a bad request", "/v1/clubs/x", 400, `{"error":{"code":"badRequest","message":"Invalid request","details":{"field":"a"}}}`, ""},
		{"another status's code", "/v1/clubs/x", 400, `{"error":{"code":"notFound","message":"Not found"}}`, "/error/code"},
		{"a cause", "/v1/clubs/x", 500, `{"error":{"code":"internalError","message":"Internal error","reason":"stack"}}`, "'reason' not allowed"},
		{"scopeMissing of ping", "/v1/ping", 403, `{"error":{"code":"scopeMissing","message":"Missing scope"}}`, "/error/code"},
		{"too large", "/v1/clubs/x/teams", 422, `{"error":{"code":"scopeTooLarge","message":"Scope too large","details":{"max":5000}}}`, ""},
		{"too large for players", "/v1/clubs/x/teams", 422, `{"error":{"code":"scopeTooLarge","message":"Scope too large","details":{"max":50,"requiresOneOf":["clubId"]}}}`, "/details"},
		{"too many players", "/v1/clubs/x/players", 422, `{"error":{"code":"scopeTooLarge","message":"Scope too large","details":{"max":50,"requiresOneOf":["clubId"]}}}`, ""},
		{"too large without details", "/v1/clubs/x/players", 422, `{"error":{"code":"scopeTooLarge","message":"Scope too large"}}`, "missing property 'details'"},
		{"too large where nothing is listed", "/v1/clubs/x/tree", 422, `{}`, "status 422 is not documented"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := d.CheckBody(tt.target, tt.status, []byte(tt.body))
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v does not say %q", err, tt.says)
			}
		})
	}
}

func TestARequestThatWasAcceptedIsDocumented(t *testing.T) {
	d := newDocument(t)
	s := newDocumented(t, ping.Operations(endpoints.Deps{})...)
	good := s.exchange(t, "GET", "/v1/ping", nil)
	const list = `{"data":[],"page":1,"limit":25,"total":0,"hasMore":false}`
	tests := []struct {
		name, target string
		says         string // empty: as documented
	}{
		{"every kind", "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/teams?clubId=64b7f0c2a1d3e4f5a6b7c8d9&season=2025&status=active&includeDescendants=true&sort=-name&page=100&limit=100", ""},
		{"escaped", "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/teams?pa%67e=%32&&", ""},
		{"an offset with a plus", "/v1/tournaments/64b7f0c2a1d3e4f5a6b7c8d9/matches?from=2026-01-01T10:00:00.5+02:00&to=2026-02-01", ""},
		{"an id in upper case", "/v1/clubs/64B7F0C2a1d3e4f5a6b7c8d9/teams", "path parameter id"},
		{"a limit of 0", "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/teams?limit=0", "query parameter limit"},
		{"a limit with a zero", "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/teams?limit=010", "query parameter limit"},
		{"a page outside every window", "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/teams?page=10001", "query parameter page"},
		{"another order", "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/teams?sort=age", "query parameter sort"},
		{"no boolean", "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/teams?includeDescendants=1", "query parameter includeDescendants"},
		{"an unknown parameter", "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/teams?teamId=64b7f0c2a1d3e4f5a6b7c8d9", `query parameter "teamId" is not documented`},
		{"no date", "/v1/tournaments/64b7f0c2a1d3e4f5a6b7c8d9/matches?from=2026-13-01", "query parameter from"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := good
			x.Target, x.Body = tt.target, []byte(list)
			err := d.Check(x)
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v does not say %q", err, tt.says)
			}
		})
	}
}

// noNonces is a store that does not answer.
type noNonces struct{}

func (noNonces) Consume(context.Context, limits.Nonce) error { return errors.New("no answer") }
