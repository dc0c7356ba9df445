package gateway_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
	gocmp "github.com/google/go-cmp/cmp"

	"touchline/shared/accesslog"
	"touchline/shared/gateway"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/problem"
	"touchline/shared/route"
)

type service struct {
	*pipelinetest.Service
	*gateway.Handler
}

// newService has two operations: one returns the {id} of its path, one panics.
func newService(t *testing.T) service {
	s := pipelinetest.New(t,
		route.Define(route.Row{Group: route.GroupTeams, Path: "/v1/teams/{id}"},
			func(_ context.Context, c route.Call, _ route.Paging) (route.Data[string], error) {
				return route.Data[string]{Data: c.ID}, nil
			}),
		route.Define(route.Row{Group: route.GroupPing, Path: "/v1/ping"},
			func(context.Context, route.Call, route.None) (route.None, error) { panic("ping") }),
	)
	s.IDs = gateway.IDs
	return service{s, gateway.New(s.Pipeline)}
}

// event is like one from a gateway, with signed headers and others.
func (s service) event(method, path, query string) events.APIGatewayV2HTTPRequest {
	headers := map[string]string{}
	for name, values := range pipelinetest.Sign(s.Time, method, path, query, "n") {
		headers[strings.ToLower(name)] = values[0]
	}
	headers["host"] = "abc123.execute-api.eu-central-1.amazonaws.com"
	headers["accept"] = "application/json, text/plain"
	headers["x-forwarded-for"] = "203.0.113.9, 198.51.100.1"
	headers["x-golambdaproxy-apigw-context"] = `{"http":{"sourceIp":"203.0.113.9"}}`
	return events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "$default", RawPath: path, RawQueryString: query, Headers: headers,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			Stage: "$default", DomainName: "abc123.execute-api.eu-central-1.amazonaws.com",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: method, Path: path, Protocol: "HTTP/1.1", SourceIP: pipelinetest.Caller,
			},
		},
	}
}

func (s service) handle(t *testing.T, e events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPResponse {
	t.Helper()
	before := s.Log.String()
	e.RequestContext.RequestID = "JKJaXmPLvHcESHA="
	const invocation = "6f2f6b1f-4f0c-4f7e-9d9e-0b5f7f0e7a11"
	r, err := s.Handle(lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: invocation}), e)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimPrefix(s.Log.String(), before)
	line, err := accesslog.Parse([]byte(text))
	if err != nil || strings.Count(text, "\n") != 1 || line.Status != r.StatusCode || line.RequestID != r.Headers["X-Request-Id"] {
		t.Errorf("not the one line of the answer %d: %v, %s", r.StatusCode, err, text)
	}
	if line.GatewayRequestID != e.RequestContext.RequestID || line.LambdaRequestID != invocation {
		t.Errorf("ids %q, %q", line.GatewayRequestID, line.LambdaRequestID)
	}
	if r.Headers["X-Service-Api-Version"] != "1" || r.Headers["X-Request-Id"] == "" || r.Headers["Cache-Control"] != "no-store" {
		t.Errorf("headers of every answer: %v", r.Headers)
	}
	return r
}

func TestAResponseOfPayloadFormat2(t *testing.T) {
	s := newService(t)
	got := s.handle(t, s.event("GET", "/v1/teams/a%2fb", "page=2&limit=10"))
	want := events.APIGatewayV2HTTPResponse{
		StatusCode: http.StatusOK,
		Headers: map[string]string{
			"X-Service-Api-Version": "1", "X-Request-Id": "request-1", "Cache-Control": "no-store",
			"Content-Type": "application/json; charset=utf-8", "Vary": "Accept-Encoding",
			"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1773501027",
		},
		Body: `{"data":"a%2fb"}`, Cookies: []string{},
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnswersByEvent(t *testing.T) {
	type change = func(*service, *events.APIGatewayV2HTTPRequest)
	get := func(path, query string) func(service) events.APIGatewayV2HTTPRequest {
		return func(s service) events.APIGatewayV2HTTPRequest { return s.event("GET", path, query) }
	}
	tests := []struct {
		name   string
		event  func(service) events.APIGatewayV2HTTPRequest
		change change
		status int
		code   problem.Code
	}{
		{"signed", get("/v1/teams/x", "limit=10"), nil, 200, ""},
		{"a query with a plus and escapes", get("/v1/teams/x", "pa%67e=2&limit=%31%30"), nil, 200, ""},
		{"header names in capitals", get("/v1/teams/x", ""), func(_ *service, e *events.APIGatewayV2HTTPRequest) {
			upper := map[string]string{}
			for name, value := range e.Headers {
				upper[strings.ToUpper(name)] = value
			}
			e.Headers = upper
		}, 200, ""},
		{"one header in two cases", get("/v1/teams/x", ""), func(_ *service, e *events.APIGatewayV2HTTPRequest) {
			e.Headers["X-Service-Nonce"] = e.Headers["x-service-nonce"]
		}, 401, problem.Unauthorized},
		{"a repeated header", get("/v1/teams/x", ""), func(_ *service, e *events.APIGatewayV2HTTPRequest) {
			e.Headers["x-service-nonce"] += "," + e.Headers["x-service-nonce"]
		}, 401, problem.Unauthorized},
		{"parsed parameters are not looked at", get("/v1/teams/x", ""), func(_ *service, e *events.APIGatewayV2HTTPRequest) {
			e.QueryStringParameters = map[string]string{"foo": "1"}
			e.PathParameters = map[string]string{"id": "y"}
		}, 200, ""},
		{"the address is the gateway's", get("/v1/teams/x", ""), func(s *service, _ *events.APIGatewayV2HTTPRequest) {
			for range 20 {
				s.Failures.Count(pipelinetest.Caller, s.Time)
			}
		}, 429, problem.RateLimited},
		{"a header's address is nobody", get("/v1/teams/x", ""), func(s *service, _ *events.APIGatewayV2HTTPRequest) {
			for range 20 {
				s.Failures.Count("203.0.113.9", s.Time)
			}
		}, 200, ""},
		{"without raw path", get("/v1/teams/x", ""), func(_ *service, e *events.APIGatewayV2HTTPRequest) { e.RawPath = "" }, 200, ""},
		{"a body", get("/v1/teams/x", ""), func(_ *service, e *events.APIGatewayV2HTTPRequest) { e.Body = "x" }, 400, problem.BadRequest},
		{"a body in base64", get("/v1/teams/x", ""), func(_ *service, e *events.APIGatewayV2HTTPRequest) {
			e.Body, e.IsBase64Encoded = "eA==", true
		}, 400, problem.BadRequest},
		{"a body in broken base64", get("/v1/teams/x", ""), func(_ *service, e *events.APIGatewayV2HTTPRequest) {
			e.Body, e.IsBase64Encoded = "%", true
		}, 400, problem.BadRequest},
		{"base64 of no body", get("/v1/teams/x", ""), func(_ *service, e *events.APIGatewayV2HTTPRequest) { e.IsBase64Encoded = true }, 200, ""},
		{"an announced body", get("/v1/teams/x", ""), func(_ *service, e *events.APIGatewayV2HTTPRequest) { e.Headers["content-length"] = "5" }, 400, problem.BadRequest},
		{"another method", func(s service) events.APIGatewayV2HTTPRequest { return s.event("POST", "/v1/teams/x", "") }, nil, 405, problem.MethodNotAllowed},
		{"a method that is no token", func(s service) events.APIGatewayV2HTTPRequest { return s.event("GE T\n", "/v1/teams/x", "") }, nil, 405, problem.MethodNotAllowed},
		{"a malformed escape", get("/v1/teams/%zz", ""), nil, 400, problem.BadRequest},
		{"a query that is in no URL", get("/v1/teams/x", "a=\x00#"), nil, 401, problem.Unauthorized},
		{"an empty path", get("", ""), nil, 404, problem.NotFound},
		{"an event of nothing", func(service) events.APIGatewayV2HTTPRequest { return events.APIGatewayV2HTTPRequest{} }, nil, 405, problem.MethodNotAllowed},
		{"a panic", get("/v1/ping", ""), nil, 500, problem.InternalError},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newService(t)
			e := tt.event(s)
			if tt.change != nil {
				tt.change(&s, &e)
			}
			r := s.handle(t, e)
			var body problem.Document
			if err := json.Unmarshal([]byte(r.Body), &body); err != nil {
				t.Fatal(err)
			}
			if r.StatusCode != tt.status || body.Error.Code != tt.code || r.IsBase64Encoded {
				t.Errorf("%d %s", r.StatusCode, r.Body)
			}
		})
	}
}

// sent is what a service gets of an event.
type sent struct {
	Method, Host, Path, Query, Caller string
	Body                              int64 // its length
	Header                            http.Header
}

func TestAServiceGetsWhatTheGatewayReceived(t *testing.T) {
	const rest = "/v1/teams/x"
	type event = events.APIGatewayV2HTTPRequest
	path := func(p string) func(*event) { return func(e *event) { e.RawPath, e.RequestContext.HTTP.Path = p, p } }
	tests := []struct {
		name   string
		change func(*event)
		want   sent // what differs from a GET of rest
	}{
		{"a question mark in a path", path("/v1/a?b=c"), sent{Path: "/v1/a?b=c"}},
		{"a number sign in a path", path("/v1/a#b"), sent{Path: "/v1/a#b"}},
		{"a percent sign in a path", path("/v1/100%"), sent{Path: "/v1/100%"}},
		{"an escape in a path", path("/v1/a%2Fb%0A%zz"), sent{Path: "/v1/a%2Fb%0A%zz"}},
		{"a line feed in a path", path("/v1/a\nb\x00\x7f"), sent{Path: "/v1/a\nb\x00\x7f"}},
		{"a blank in a path", path("/v1/a b+c"), sent{Path: "/v1/a b+c"}},
		{"doubled slashes", path("//v1//x/../y/."), sent{Path: "//v1//x/../y/."}},
		{"no slash", path("v1/x"), sent{Path: "v1/x"}},
		{"a URL", path("https://a.example/v1"), sent{Path: "https://a.example/v1"}},
		{"no UTF-8", path("/v1/\xff\xc3\xa9"), sent{Path: "/v1/\xff\xc3\xa9"}},
		{"a path of 100,000 bytes", path("/" + strings.Repeat("?é", 33_333)), sent{Path: "/" + strings.Repeat("?é", 33_333)}},
		{"a query", func(e *event) { e.RawQueryString = "a=%41&&b=+%20?c;d=ä\xff&e=%zz" }, sent{Query: "a=%41&&b=+%20?c;d=ä\xff&e=%zz"}},
		{"parameters without a query", func(e *event) { e.QueryStringParameters = map[string]string{"a": "b"} }, sent{}},
		{"a method in lower case", func(e *event) { e.RequestContext.HTTP.Method = "get" }, sent{Method: "get"}},
		{"a host with a space", func(e *event) { e.RequestContext.DomainName = "a b[" }, sent{}},
		{"an address of IPv6", func(e *event) { e.RequestContext.HTTP.SourceIP = "2001:db8::7" }, sent{Caller: "2001:db8::7"}},
		{"a body", func(e *event) { e.Body = "{}" }, sent{Body: 2}},
		{"a body in base64", func(e *event) { e.Body, e.IsBase64Encoded = "/w==", true }, sent{Body: 4}},
		{"a header with commas", func(e *event) { e.Headers["x-a"] = "b, c,d" }, sent{Header: http.Header{"X-A": {"b", "c", "d"}}}},
		{"an empty header", func(e *event) { e.Headers["x-a"] = "" }, sent{Header: http.Header{"X-A": {""}}}},
		{"cookies", func(e *event) { e.Cookies = []string{"a=b", "c=d"} }, sent{Header: http.Header{"Cookie": {"a=b", "c=d"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got sent
			h := gateway.New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.Header.Del("Host")
				got = sent{r.Method, r.Host, cmp.Or(r.URL.RawPath, r.URL.Path), r.URL.RawQuery, r.RemoteAddr, r.ContentLength, r.Header}
				w.WriteHeader(http.StatusTeapot)
			}))
			e := event{Headers: map[string]string{"host": "api.example"}}
			e.RequestContext.HTTP.Method, e.RequestContext.HTTP.SourceIP = "GET", pipelinetest.Caller
			path(rest)(&e)
			tt.change(&e)
			r, err := h.Handle(t.Context(), e)
			if err != nil || r.StatusCode != http.StatusTeapot || len(r.Headers) != 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			want := tt.want
			want.Method, want.Host, want.Path = cmp.Or(want.Method, "GET"), "api.example", cmp.Or(want.Path, rest)
			want.Caller = cmp.Or(want.Caller, pipelinetest.Caller)
			if want.Header == nil {
				want.Header = http.Header{}
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStagesAreNotPartOfThePath(t *testing.T) {
	tests := []struct {
		name, stage, path string
		want              int
	}{
		{"default", "$default", "/v1/teams/x", 200},
		{"no stage", "", "/v1/teams/x", 200},
		{"a named stage", "prod", "/prod/v1/teams/x", 200},
		{"a named stage behind a domain of its own", "prod", "/v1/teams/x", 200},
		{"a stage named v1", "v1", "/v1/v1/teams/x", 200},
		{"a stage named v1 behind a domain of its own", "v1", "/v1/teams/x", 200},
		{"a path that begins like the stage", "prod", "/production/v1/teams/x", 404},
		{"the stage twice", "prod", "/prod/prod/v1/teams/x", 404},
		{"another stage's path", "prod", "/test/v1/teams/x", 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newService(t)
			e := s.event("GET", "/v1/teams/x", "")
			e.RequestContext.Stage, e.RawPath, e.RequestContext.HTTP.Path = tt.stage, tt.path, tt.path
			if r := s.handle(t, e); r.StatusCode != tt.want {
				t.Errorf("%d %s", r.StatusCode, r.Body)
			}
		})
	}
}

func TestHEADKeepsTheLengthOfGET(t *testing.T) {
	for name, path := range map[string]string{"data": "/v1/teams/x", "a refusal by the pipeline": "/v1/nothing", "a refusal on the event": "/v1/%"} {
		t.Run(name, func(t *testing.T) {
			s, other := newService(t), newService(t)
			get, head := s.handle(t, s.event("GET", path, "")), other.handle(t, other.event("HEAD", path, ""))
			get.Headers["Content-Length"] = strconv.Itoa(len(get.Body))
			get.Body = ""
			if diff := gocmp.Diff(get, head); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestACompressedBodyTravelsAsBase64(t *testing.T) {
	text := strings.Repeat("Rot-Weiß ", 500)
	s := pipelinetest.New(t, route.Define(route.Row{Group: route.GroupPing, Path: "/v1/ping"},
		func(context.Context, route.Call, route.None) (route.Data[string], error) {
			return route.Data[string]{Data: text}, nil
		}))
	s.IDs = gateway.IDs
	with := service{s, gateway.New(s.Pipeline)}
	e := with.event("GET", "/v1/ping", "")
	e.Headers["accept-encoding"] = "gzip, deflate"
	r := with.handle(t, e)
	raw, err := base64.StdEncoding.DecodeString(r.Body)
	if err != nil || !r.IsBase64Encoded || r.Headers["Content-Encoding"] != "gzip" || r.Headers["Content-Length"] != strconv.Itoa(len(raw)) {
		t.Fatalf("%v: %v", err, r.Headers)
	}
	reader, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var body struct{ Data string }
	if err := json.NewDecoder(reader).Decode(&body); err != nil || body.Data != text {
		t.Errorf("%v: %d bytes", err, len(body.Data))
	}
}

func FuzzAnyEventIsAnswered(f *testing.F) {
	f.Add("GET", "/v1/teams/x", "page=1", "$default", "n", "", "192.0.2.1")
	f.Add("HEAD", "/prod/v1/teams/%zz", "&&", "prod", "a,b", "x", "::1")
	f.Add("GET", "/v1/teams/\x01", "a=\x7f", "$default", "n", "", "192.0.2.1")
	f.Add("OPTIONS", "", "%", "", "", "", "")
	f.Fuzz(func(t *testing.T, method, path, query, stage, nonce, body, ip string) {
		if path == "/v1/ping" {
			return // panics
		}
		s := newService(t)
		e := s.event("GET", path, query)
		e.RequestContext.HTTP.Method, e.RequestContext.HTTP.SourceIP, e.RequestContext.Stage, e.Body = method, ip, stage, body
		e.Headers["x-service-nonce"] = nonce
		r := s.handle(t, e)
		if r.StatusCode == http.StatusGatewayTimeout || r.StatusCode >= 500 {
			t.Fatalf("%d %s", r.StatusCode, r.Body)
		}
		if method != "HEAD" && method != "OPTIONS" && !json.Valid([]byte(r.Body)) {
			t.Fatalf("%q", r.Body)
		}
	})
}
