// Package functions holds the functions, one folder each, to what they have in
// common. Its tests run each as Lambda does, under a Runtime API and on a
// database engine, and compare it with the worker of all groups that `touchline
// serve` is.
package functions

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/accesslog"
	"touchline/shared/endpoints/groups"
	"touchline/shared/gateway"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/stack"
)

// samples are the events of a function's folder, by file name.
func samples(t testing.TB, g route.Group) map[string]events.APIGatewayV2HTTPRequest {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "events", string(g), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]events.APIGatewayV2HTTPRequest{}
	for _, file := range files {
		raw, err := os.ReadFile(filepath.Clean(file))
		if err != nil {
			t.Fatal(err)
		}
		var e events.APIGatewayV2HTTPRequest
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		found[filepath.Base(file)] = e
	}
	if len(found) == 0 {
		t.Fatalf("no events for %s", g)
	}
	return found
}

// call invokes a function with an event.
func call(t *testing.T, f *function, e events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPResponse {
	t.Helper()
	raw, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var answer events.APIGatewayV2HTTPResponse
	if body := f.Call(t, raw); json.Unmarshal(body, &answer) != nil {
		t.Fatalf("%s", body)
	}
	return answer
}

// event is a request as an event, unsigned.
func event(method, target string) events.APIGatewayV2HTTPRequest {
	path, query, _ := strings.Cut(target, "?")
	return events.APIGatewayV2HTTPRequest{
		Version: "2.0", RawPath: path, RawQueryString: query, Headers: map[string]string{"host": "api.example"},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			Stage: "$default",
			HTTP:  events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: method, Path: path, SourceIP: caller},
		},
	}
}

// lasting takes off what differs from one worker, or one moment, to another.
func lasting(t *testing.T, r events.APIGatewayV2HTTPResponse) events.APIGatewayV2HTTPResponse {
	t.Helper()
	if r.Headers["X-Request-Id"] == "" {
		t.Errorf("no request id: %v", r.Headers)
	}
	r.Headers = maps.Clone(r.Headers)
	delete(r.Headers, "X-Request-Id")
	for _, name := range []string{"X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if _, there := r.Headers[name]; there {
			r.Headers[name] = "a number"
		}
	}
	// Whether the half minute after the load is over.
	if version, there := r.Headers["X-Service-Data-Version"]; there {
		r.Headers["X-Service-Data-Version"] = strings.TrimSuffix(version, "+")
	}
	if before, rest, ok := strings.Cut(r.Body, `"serverTime":"`); ok {
		_, after, _ := strings.Cut(rest, `"`)
		r.Body = before + `"serverTime":"a time"` + after
	}
	return r
}

// TestFunctions builds and loads once for all that it holds the functions to.
func TestFunctions(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		name string
		hold func(*testing.T)
	}{
		{"answer as the local server does", w.answerAsTheLocalServerDoes},
		{"say what is missing in their configuration", w.sayWhatIsMissing},
		{"log their own faults as JSON", w.logTheirOwnFaults},
		{"log what was not found", w.logWhatWasNotFound},
		{"give up waiting", w.giveUpWaiting},
		{"run the files that CONTRIBUTING lists", w.runTheListedFiles},
	} {
		t.Run(tt.name, tt.hold)
	}
}

func (w *world) answerAsTheLocalServerDoes(t *testing.T) {
	for _, g := range route.Groups() {
		t.Run(string(g), func(t *testing.T) {
			door := door(t, lookup(w.environment)(stack.VariableDynamoDBEndpoint))
			f := start(t, w.of(g), append(slices.Clone(w.environment), stack.VariableDynamoDBEndpoint+"="+door.Endpoint)...)
			for name, e := range samples(t, g) {
				t.Run(name, func(t *testing.T) {
					got := call(t, f, w.sign(t, e))
					want, err := w.whole.Handle(t.Context(), w.sign(t, e))
					if err != nil {
						t.Fatal(err)
					}
					status := 200
					if e.RouteKey == "$default" {
						status = 404
					}
					if got.StatusCode != status {
						t.Errorf("status %d: %s", got.StatusCode, got.Body)
					}
					if diff := cmp.Diff(lasting(t, want), lasting(t, got)); diff != "" {
						t.Error(diff)
					}
					if stale := call(t, f, e); stale.StatusCode != 401 && e.RouteKey != "$default" {
						t.Errorf("signed long ago: status %d", stale.StatusCode)
					}
				})
			}
			w.whole = gateway.New(w.service.Handler(groups.Operations)) // the rate of a worker is for one group
			w.operations(t, f, g)
			w.refusals(t, f, g)
			f.Terminate(t)
			f.Wait(t)
			w.lines(t, f)
			may := map[string][]string{}
			for variable, calls := range stack.RequestCalls() {
				may[lookup(w.environment)(variable)] = calls
			}
			if diff := cmp.Diff(may, door.Made()); diff != "" {
				t.Errorf("calls that its role allows (-), and those made (+): %s", diff)
			}
		})
	}
}

// lines holds what a function wrote to a line of the log for each invocation.
func (w *world) lines(t *testing.T, f *function) {
	t.Helper()
	texts := strings.Split(strings.TrimSuffix(f.Output(), "\n"), "\n")
	if len(texts) != f.Count {
		t.Errorf("%d lines for %d invocations, or it ended with %s", len(texts), f.Count, texts[len(texts)-1])
	}
	for i, text := range texts {
		l, err := accesslog.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if l.LambdaRequestID != fmt.Sprint("invocation-", i+1) || l.Cold != (i == 0) || (l.StartMicros > 0) != l.Cold || l.Stage != "test" || l.Function != "touchline-test" {
			t.Errorf("%s", text)
		}
		if !strings.Contains(text, `"_aws":{`) {
			t.Errorf("no metrics: %s", text)
		}
		for _, hidden := range []string{w.key.Secret.Reveal(), caller, "nonce-"} {
			if strings.Contains(text, hidden) {
				t.Errorf("the line holds %s: %s", hidden, text)
			}
		}
		if l.Status == 200 && (l.Sports.ReadUnits == 0 && i == 0 || l.Nonces.WriteUnits != 1 || l.Quotas.WriteUnits != 1 || l.KeyID != w.key.Key.ID) {
			t.Errorf("%s", text)
		}
	}
}

// refusals are some of the answers that every function gives alike; package gateway has the
// others.
func (w *world) refusals(t *testing.T, f *function, g route.Group) {
	t.Helper()
	own, foreign := pathOf(g), pathOf(route.GroupTeams)
	if g == route.GroupTeams {
		foreign = pathOf(route.GroupPlayers)
	}
	twice := w.sign(t, event("GET", own))
	if first := call(t, f, twice); first.StatusCode == 401 {
		t.Errorf("the first use of a nonce: %+v", first)
	}
	tests := []struct {
		name        string
		event       events.APIGatewayV2HTTPRequest
		status      int
		text        string
		header, has string // a header and its value
	}{
		{"unsigned", event("GET", own), 401, `"reason":"malformedHeader"`, "X-Service-Api-Version", "1"},
		{"a nonce used before", twice, 401, `"code":"unauthorized"`, "Cache-Control", "no-store"},
		{"another group's path", w.sign(t, event("GET", foreign)), 404, `"code":"notFound"`, "Cache-Control", "no-store"},
		{"an unknown parameter", w.sign(t, event("GET", own+"?nonsense=1")), 400, `"field":"nonsense"`, "X-RateLimit-Limit", "60"},
		{"OPTIONS", event("OPTIONS", own), 204, "", "Allow", "GET, HEAD"},
		{"HEAD of what is unknown", event("HEAD", foreign), 404, "", "Content-Length", "51"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := call(t, f, tt.event)
			if got.StatusCode != tt.status || !strings.Contains(got.Body, tt.text) || (tt.text == "") != (got.Body == "") {
				t.Errorf("%d, %s", got.StatusCode, got.Body)
			}
			if got.Headers[tt.header] != tt.has {
				t.Errorf("%s: %q", tt.header, got.Headers[tt.header])
			}
			if hasType := got.Headers["Content-Type"] != ""; hasType != (tt.status != 204) {
				t.Errorf("a type: %t", hasType)
			}
		})
	}
}

// pathOf is a path that a group serves.
func pathOf(g route.Group) string {
	if g == route.GroupPing {
		return "/v1/ping"
	}
	return "/v1/" + string(g) + "/" + strings.Repeat("0", sport.IDLength)
}

func (w *world) sayWhatIsMissing(t *testing.T) {
	f := start(t, w.of(route.GroupPing), "AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test",
		stack.VariableSportsTable+"=sports", stack.VariableMasterKey+"=c2hvcnQ=")
	if code := f.Wait(t); code != 1 {
		t.Errorf("exit code %d", code)
	}
	var line struct{ Level, Msg, Cause string }
	out := f.Output()
	if err := json.Unmarshal([]byte(out), &line); err != nil {
		t.Fatalf("%q is not one line of JSON: %v", out, err)
	}
	for _, name := range []string{stack.VariableNoncesTable, stack.VariableQuotasTable, stack.VariableKeysTable, stack.VariableDefaultPhoto, stack.VariableMasterKey} {
		if !strings.Contains(line.Cause, name) {
			t.Errorf("%s is not named: %s", name, out)
		}
	}
	if strings.Contains(out, "c2hvcnQ") || strings.Contains(line.Cause, stack.VariableSportsTable) {
		t.Errorf("it says too much: %s", out)
	}
}

func (w *world) logTheirOwnFaults(t *testing.T) {
	environment := append([]string{}, w.environment...)
	for i, entry := range environment {
		if strings.HasPrefix(entry, stack.VariableQuotasTable+"=") {
			environment[i] = stack.VariableQuotasTable + "=elsewhere"
		}
	}
	f := start(t, w.of(route.GroupPing), environment...)
	got := call(t, f, w.sign(t, event("GET", "/v1/ping")))
	if got.StatusCode != 503 || strings.Contains(got.Body, "elsewhere") {
		t.Errorf("%d, %s", got.StatusCode, got.Body)
	}
	f.Terminate(t)
	f.Wait(t) // until all it wrote has arrived
	decoder := json.NewDecoder(strings.NewReader(f.Output()))
	var line struct{ Level, RequestID, Cause string }
	if err := decoder.Decode(&line); err != nil {
		t.Fatal(err)
	}
	if line.Level != "ERROR" || line.RequestID != got.Headers["X-Request-Id"] || line.Cause == "" {
		t.Errorf("%+v", line)
	}
	if err := decoder.Decode(&line); !errors.Is(err, io.EOF) {
		t.Errorf("and more: %v, %+v", err, line)
	}
}
