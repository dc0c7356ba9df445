package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/apikeys"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/protocol"
	"touchline/scripts/touchline/serve"
	"touchline/shared/gateway"
)

func TestASignedEventIsAnswered(t *testing.T) {
	term := keeper(t)
	term.succeed(t, "import", "../../shared/demo/data")
	k := create(t, term, "--all-scopes", "--descendants")
	term.Env["TOUCHLINE_SECRET"] = k.Secret
	seal, err := apikeys.Sealer(&term.Terminal)
	must(t, err)
	d := term.database(t)
	worker := gateway.New((&serve.Command{Photo: "https://img.example/nobody.png"}).Handler(&term.Terminal, d, seal, logs.RequestLog{}, serve.CacheOf(&term.Terminal, d)))
	files, err := filepath.Glob("../../events/*/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d events, %v", len(files), err)
	}
	for _, file := range files {
		if strings.Contains(file, "ingest") {
			continue // not a request
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			for _, stage := range []string{"$default", "dev"} {
				var e events.APIGatewayV2HTTPRequest
				must(t, json.Unmarshal([]byte(term.succeed(t, "event", "--key-id="+k.ID, file)), &e))
				if stage != "$default" {
					term.In = strings.NewReader(at(t, e, stage))
					must(t, json.Unmarshal([]byte(term.succeed(t, "event", "--key-id="+k.ID, "-")), &e))
				}
				want := 200
				if strings.Contains(file, "unknown-path") {
					want = 404
				}
				if got, err := worker.Handle(t.Context(), e); err != nil || got.StatusCode != want {
					t.Errorf("%s: %d, %s, %v", stage, got.StatusCode, got.Body, err)
				}
			}
		})
	}
}

// at is the event as a stage other than $default gets it.
func at(t *testing.T, e events.APIGatewayV2HTTPRequest, stage string) string {
	t.Helper()
	e.RequestContext.Stage, e.RawPath = stage, "/"+stage+e.RawPath
	raw, err := json.Marshal(e)
	must(t, err)
	return string(raw)
}

func TestAnEventKeepsAllButItsSignature(t *testing.T) {
	const given = `{"version":"2.0","rawPath":"/v1/ping","rawQueryString":"","future":{"big":12345678901234567890,"html":"<&>","list":[1.50]},
		"headers":{"host":"h","X-Service-Key":"old","x-service-key":"older","X-SERVICE-NONCE":"old","user-agent":"<u>"},
		"requestContext":{"stage":"$default","timeEpoch":1773500400000,"http":{"method":"GET","sourceIp":"192.0.2.7"}},"isBase64Encoded":false}`
	term := newTerminal(map[string]string{protocol.SecretVariable: "hidden"})
	term.In = strings.NewReader(given)
	out := term.succeed(t, "event", "--key-id=tk_1", "-")
	if strings.Contains(out, "hidden") {
		t.Error("the secret is shown")
	}
	kept := strings.NewReplacer(`"X-Service-Key":"old","x-service-key":"older","X-SERVICE-NONCE":"old",`, "").Replace(given)
	before, after, ok := strings.Cut(kept, `"user-agent":"<u>"`)
	if !ok || !strings.HasPrefix(out, before) || !strings.HasSuffix(out, after+"\n") {
		t.Fatalf("changed elsewhere: %s", out)
	}
	var signed struct{ Headers map[string]string }
	must(t, json.Unmarshal([]byte(out), &signed))
	headers := signed.Headers
	for _, name := range []string{"x-service-nonce", "x-service-signature"} {
		if len(headers[name]) < 20 {
			t.Errorf("%s: %q", name, headers[name])
		}
		delete(headers, name)
	}
	want := map[string]string{"host": "h", "user-agent": "<u>", "x-service-key": "tk_1", "x-service-timestamp": "1773500400"}
	if diff := cmp.Diff(want, headers); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNoEventIsRefused(t *testing.T) {
	event := func(change string) string {
		return `{"version":"2.0","rawPath":"/v1/ping","headers":{},"requestContext":{"http":{"method":"GET"}}` + change + `}`
	}
	tests := []struct{ name, given, says string }{
		{"nothing", "", "not an event"},
		{"no JSON", "hello", "not an event"},
		{"a list", "[]", "not an event"},
		{"cut off", event("")[:40], "not an event"},
		{"no version", `{"Records":[]}`, `version ""`},
		{"a REST API's", event(`,"version":"1.0"`), `version "1.0"`},
		{"no path", `{"version":"2.0","requestContext":{"http":{"method":"GET"}}}`, "rawPath"},
		{"no method", `{"version":"2.0","rawPath":"/v1/ping"}`, "requestContext.http.method"},
		{"not headers", event(`,"headers":[]`), "not an event"},
		{"no headers", strings.Replace(event(""), `"headers":{},`, "", 1), "without headers"},
		{"a malformed query", event(`,"rawQueryString":"a=%2"`), "two hex digits"},
		{"too large", event(`,"body":"` + strings.Repeat("x", 6<<20) + `"`), "larger than the 6 MB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			term := newTerminal(map[string]string{protocol.SecretVariable: "s"})
			term.In = strings.NewReader(tt.given)
			if code := term.run("event", "--key-id=k", "-"); code != exitFailed || !strings.Contains(term.Errors.String(), tt.says) || term.Output.Len() > 0 {
				t.Errorf("exit %d: %s", code, term.Errors.String())
			}
		})
	}
	term := newTerminal(map[string]string{protocol.SecretVariable: "s"})
	term.fails(t, exitFailed, "none.json", "event", "--key-id=k", filepath.Join(t.TempDir(), "none.json"))
}
