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

	"touchline/shared/client"
)

func TestALongResponseIsAnError(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat(" ", 1<<20+1))
	})
	_, err := f.client(func(o *client.Config) { o.MaxBody = 1 << 20 }).Send(t.Context(), http.MethodGet, "/v1/ping")
	if !errors.Is(err, client.ErrTooLong) || len(f.sent()) != 1 {
		t.Errorf("%d requests, %v", len(f.sent()), err)
	}
}

func TestARefusalSaysWhatIsKnownAndNothingATerminalActsOn(t *testing.T) {
	for name, c := range map[string]struct{ header, body, want string }{
		"all there is": {
			"", `{"error":{"code":"badRequest","message":"Invalid request","reason":"r","details":{"field":"page","limit":100,"new":[]},"retryAfter":3,"new":1}}`,
			`400 badRequest: Invalid request, reason r, details {"field":"page","limit":100,"new":[]}, try again in 3 s (request request-1)`,
		},
		"details and a time of another form": {"", `{"error":{"code":"x","details":["y"],"retryAfter":"soon"}}`, `400 x: , details ["y"] (request request-1)`},
		"the header comes first":             {"7", `{"error":{"code":"x","message":"m","details":null,"retryAfter":3}}`, "400 x: m, try again in 7 s (request request-1)"},
		"a time that is none":                {"-1", `{"error":{"code":"x","message":"m"}}`, "400 x: m (request request-1)"},
		"no JSON":                            {"", "<html>", "400 Bad Request (request request-1)"},
		"JSON of another form":               {"", `{"error":"x"}`, "400 Bad Request (request request-1)"},
		"JSON that nests without end":        {"", strings.Repeat("[", 100_000), "400 Bad Request (request request-1)"},
		"control characters":                 {"", `{"error":{"code":"x\u001b[2J","message":"a\nb\u009b"}}`, "400 x?[2J: a?b? (request request-1)"},
		"a long text":                        {"", `{"error":{"code":"x","message":"` + strings.Repeat("a", 301) + `"}}`, "400 x: " + strings.Repeat("a", 300) + "… (request request-1)"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", c.header)
				w.WriteHeader(400)
				_, _ = io.WriteString(w, c.body)
			})
			if got := f.send(t).Err().Error(); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestTheSecretIsNeverShown(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { hangUp(w) })
	c := f.client()
	config := f.config()
	config.Now = nil // JSON cannot encode functions
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
	_, err = c.Send(t.Context(), http.MethodGet, "/v1/ping")
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
		"Timeout":  func(c *client.Config) { c.Timeout = -1 },
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
