package protocol

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/signing"
)

func TestALongResponseIsAnError(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat(" ", 16<<20+1))
	})
	_, err := f.client().send(t.Context(), signing.Message{Method: http.MethodGet}, "/v1/ping")
	if !errors.Is(err, errTooLong) || len(f.sent()) != 1 {
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
			if got := f.send(t).err().Error(); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestAnAddressThatIsNoServiceIsRefused(t *testing.T) {
	for _, address := range []string{"", "api.example.org", "ftp://api.example.org", "https://api.example.org?a", "https://a:b@api.example.org"} {
		c := client{base: address, key: credential{keyID, secret}, now: noon}
		if _, err := c.send(t.Context(), signing.Message{Method: http.MethodGet}, "/v1/ping"); !errors.As(err, new(terminal.UsageError)) {
			t.Errorf("%q: %v", address, err)
		}
	}
}
