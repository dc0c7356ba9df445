package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/client"
)

func TestHostileAnswersAreErrors(t *testing.T) {
	for _, c := range []struct {
		name, contentType, body string
	}{
		{"no JSON", "application/json", `{"data":`},
		{"JSON of another form", "application/json", `{"data":{"apiVersion":"one"}}`},
		{"JSON that nests without end", "application/json", `{"data":` + strings.Repeat("[", 100_000)},
		{"no data", "application/json", `{}`},
		{"null", "application/json", `{"data":null}`},
		{"empty", "application/json", ``},
		{"a page of the web", "text/html", `{"data":{"apiVersion":1}}`},
		{"no content type", "", `{"data":{"apiVersion":1}}`},
		{"longer than the bound", "application/json", `{"data":{"apiVersion":1}}` + strings.Repeat(" ", 1<<20)},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = []string{c.contentType}
				_, _ = io.WriteString(w, c.body)
			})
			_, err := f.client(func(o *client.Config) { o.MaxBody = 1 << 20 }).Ping(t.Context())
			if !errors.Is(err, client.ErrAnswer) || len(f.sent()) != 1 {
				t.Errorf("%d requests, %v", len(f.sent()), err)
			}
			if len(err.Error()) > 1000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestARefusalSaysWhatIsKnownAndNothingATerminalActsOn(t *testing.T) {
	field, limit := "page", 100
	for _, c := range []struct {
		name, body string
		want       client.Error
		text       string
	}{
		{
			"all there is", `{"error":{"code":"badRequest","message":"Invalid request","reason":"r","details":{"field":"page","limit":100,"new":[]},"retryAfter":3,"new":1}}`,
			client.Error{
				Code: "badRequest", Message: "Invalid request", Reason: "r", RetryAfter: 3 * time.Second,
				Details: client.Details{Field: &field, Limit: &limit, Raw: json.RawMessage(`{"field":"page","limit":100,"new":[]}`)},
			},
			`400 badRequest: Invalid request, reason r, details {"field":"page","limit":100,"new":[]}, try again in 3 s (request request-1)`,
		},
		{
			"details and a time of another form", `{"error":{"code":"x","details":["y"],"retryAfter":"soon"}}`,
			client.Error{Code: "x", Details: client.Details{Raw: json.RawMessage(`["y"]`)}},
			`400 x: , details ["y"] (request request-1)`,
		},
		{"no JSON", "<html>", client.Error{}, "400 Bad Request (request request-1)"},
		{
			"control characters", `{"error":{"code":"x\u001b[2J","message":"a\nb\u009b"}}`,
			client.Error{Code: "x\x1b[2J", Message: "a\nb\u009b"}, "400 x?[2J: a?b? (request request-1)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(400)
				_, _ = io.WriteString(w, c.body)
			})
			_, err := f.client().Ping(t.Context())
			refusal, ok := errors.AsType[*client.Error](err)
			if !ok {
				t.Fatal(err)
			}
			c.want.Status, c.want.RequestID = 400, "request-1"
			if d := cmp.Diff(&c.want, refusal); d != "" {
				t.Error(d)
			}
			if refusal.Error() != c.text {
				t.Errorf("%s, want %s", refusal, c.text)
			}
		})
	}
}

func TestTheSecretIsNeverShown(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { hangUp(w) })
	c := f.client()
	config := f.config()
	config.Now, config.Wait = nil, nil // JSON cannot encode functions
	var out bytes.Buffer
	for _, v := range []any{c, struct{ C any }{c}, config, &config, config.Secret} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
		for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			slog.New(h).Info("m", "v", v)
		}
	}
	encoded, err := json.Marshal(config.Secret)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Ping(t.Context())
	fmt.Fprintln(&out, string(encoded), err)
	_, err = client.New(client.Config{BaseURL: f.url, KeyID: "not a key", Secret: secret})
	fmt.Fprintln(&out, err)
	for _, form := range []string{secret, fmt.Sprintf("%x", secret)} {
		if strings.Contains(out.String(), form) {
			t.Errorf("%q is in %s", form, out.String())
		}
	}
	if !strings.Contains(out.String(), "client of "+f.url+" with key tk_test") {
		t.Error(out.String())
	}
}

func TestAConfigThatCannotWorkIsRefused(t *testing.T) {
	good := client.Config{BaseURL: "https://api.example.org", KeyID: keyID, Secret: secret}
	for name, edit := range map[string]func(*client.Config){
		"BaseURL":  func(c *client.Config) { c.BaseURL = "" },
		"BaseURL:": func(c *client.Config) { c.BaseURL = "api.example.org" },
		"scheme":   func(c *client.Config) { c.BaseURL = "ftp://api.example.org" },
		"query":    func(c *client.Config) { c.BaseURL += "?a" },
		"user":     func(c *client.Config) { c.BaseURL = "https://a:b@api.example.org" },
		"KeyID":    func(c *client.Config) { c.KeyID = "" },
		"header":   func(c *client.Config) { c.KeyID = "a\r\nb" },
		"Secret":   func(c *client.Config) { c.Secret = "" },
		"Attempts": func(c *client.Config) { c.Attempts = -1 },
	} {
		config := good
		edit(&config)
		if _, err := client.New(config); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := client.New(good); err != nil {
		t.Error(err)
	}
}
