package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"touchline/shared/signing"
)

// TestTheWatchSignsAPing runs the function's code in Node.js.
func TestTheWatchSignsAPing(t *testing.T) {
	if n := len(watchCode); n > 4096 {
		t.Errorf("%d characters: Lambda takes 4,096 as text", n)
	}
	const id, secret = "tk_1", "a secret"
	status := http.StatusOK
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		headers, malformed := signing.ParseHeaders(func(name string) (string, bool) { return r.Header.Get(name), r.Header.Get(name) != "" })
		if malformed != nil || headers.Key != id || !signing.Fresh(headers.Timestamp, time.Now()) {
			t.Errorf("%+v, %v", headers, malformed)
		}
		text, err := signing.Message{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Timestamp: headers.Timestamp, Nonce: headers.Nonce}.Canonical()
		if err != nil || r.URL.Path != "/v1/ping" || !signing.Verify([]string{secret}, text, headers.Signature) {
			t.Errorf("%s %s is not signed: %v", r.Method, r.URL, err)
		}
		w.Header().Set("X-Request-Id", "request-1")
		w.WriteHeader(status)
	}))
	defer server.Close()
	// The key is read once, and again after a failure.
	const script = `const watch = require('./watch.js'); let reads = 0
const get = async () => { reads++; return { keyId: 'tk_1', secret: 'a secret' } }
const once = () => watch.check(get).then(() => 'ok', (e) => e.message)
once().then(async (first) => console.log(first, '|', await once(), '|', reads))`
	for code, want := range map[int]string{
		http.StatusOK:           "ok | ok | 1",
		http.StatusUnauthorized: "/v1/ping was answered with 401, request id request-1 | /v1/ping was answered with 401, request id request-1 | 2",
	} {
		status = code
		node := exec.CommandContext(t.Context(), "node", "-e", script)
		node.Env = append(os.Environ(), "BASE_URL="+server.URL)
		out, err := node.CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%d: %s, %v", code, out, err)
		}
	}
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
}
