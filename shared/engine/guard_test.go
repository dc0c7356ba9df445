package engine

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func beginGuarded(t *testing.T, o Options) *Guarded {
	t.Helper()
	need(t)
	g, err := StartGuarded(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Stop() })
	return g
}

// send sends a program's request, after change, and returns the response.
func send(t *testing.T, endpoint string, change func(*http.Request)) *http.Response {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, endpoint, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Date", "20260101T000000Z")
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00")
	change(req)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func TestTheGuardRefusesWhatAWebPageSends(t *testing.T) {
	g := beginGuarded(t, Options{})
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(value string) func(*http.Request) { return func(r *http.Request) { r.Host = value } }
	tests := []struct {
		name   string
		change func(*http.Request)
		path   string
		want   int
	}{
		{"a program", func(*http.Request) {}, "/", 200},
		{"localhost", host("localhost:8000"), "/", 200},
		{"an origin", header("Origin", "https://page.example"), "/", 403},
		{"an origin of this machine", header("Origin", "http://127.0.0.1:8080"), "/", 403},
		{"the origin null", header("Origin", "null"), "/", 403},
		{"a page without an origin", header("Sec-Fetch-Site", "cross-site"), "/", 403},
		{"a typed address", header("Sec-Fetch-Site", "none"), "/", 403},
		{"a name made to resolve here", host("page.example:8000"), "/", 403},
		{"a name that begins like ours", host("127.0.0.1.page.example"), "/", 403},
		{"a page that asks for the engine", header("Origin", "https://page.example"), whereabouts, 403},
		{"a name that asks for the engine", host("page.example"), whereabouts, 403},
		{"a preflight", func(r *http.Request) {
			r.Method = http.MethodOptions
			r.Header.Set("Origin", "https://page.example")
			r.Header.Set("Access-Control-Request-Method", "POST")
		}, "/", 403},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp := send(t, g.Endpoint+tt.path, tt.change)
			if resp.StatusCode != tt.want {
				t.Errorf("status %d, want %d", resp.StatusCode, tt.want)
			}
			for name := range resp.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s: %s", name, resp.Header.Get(name))
				}
			}
		})
	}
}

func TestLoopbackHosts(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:80": true, "127.1.2.3:80": true, "[::1]:80": true, "[::1]": true, "::1": true,
		"localhost": true, "LOCALHOST:1": true, "[::ffff:127.0.0.1]:80": true,
		"": false, ":80": false, "0.0.0.0": false, "10.0.0.1:80": false, "localhost.page.example": false, "page.example": false,
		"127.0.0.1@page.example": false, "2130706433": false, "[::1%25eth0]": false, "localhost:80:80": false,
	} {
		if got := LoopbackHost(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

func TestProgramsCanBypassTheGuard(t *testing.T) {
	owner := Owner{BaseURL: "http://127.0.0.1:8080", Log: "/data/requests.log", PID: 7}
	g := beginGuarded(t, Options{Owner: owner})
	if got, ok := OwnerOf(t.Context(), g.Endpoint); !ok || got != owner {
		t.Errorf("the owner is %+v, %v", got, ok)
	}
	if got, ok := OwnerOf(t.Context(), g.Direct); ok {
		t.Errorf("an engine without a guard has the owner %+v", got)
	}
	if got := Direct(t.Context(), g.Endpoint); got != g.Direct || got == g.Endpoint {
		t.Errorf("directly at %s, the engine is at %s", got, g.Direct)
	}
	if _, err := call(g.Endpoint, "CreateTable", createTable); err != nil {
		t.Fatal(err)
	}
	if got, err := call(g.Direct, "ListTables", "{}"); err != nil || !strings.Contains(got, "numbers") {
		t.Errorf("directly there is %s, %v", got, err)
	}
}

func TestWithoutAGuardDirectIsTheEndpoint(t *testing.T) {
	answers := func(status int, body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	bare := begin(t, Options{})
	for name, endpoint := range map[string]string{
		"an engine":                        bare.Endpoint,
		"nothing":                          "http://127.0.0.1:1",
		"AWS":                              "https://dynamodb.eu-central-1.amazonaws.com",
		"no URL":                           "%",
		"a refusal":                        answers(403, `{"engine":"http://127.0.0.1:1"}`),
		"something else":                   answers(200, `<html>`),
		"an engine on another machine":     answers(200, `{"engine":"http://10.0.0.1:8000"}`),
		"an engine that is no address":     answers(200, `{"engine":"file:///etc/passwd"}`),
		"an engine that was not mentioned": answers(200, `{}`),
	} {
		if got := Direct(t.Context(), endpoint); got != endpoint {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestALargeRequestPassesTheGuard(t *testing.T) {
	g := beginGuarded(t, Options{})
	if _, err := call(g.Endpoint, "CreateTable", createTable); err != nil {
		t.Fatal(err)
	}
	put := `{"TableName":"numbers","Item":{"pk":{"S":"1"},"text":{"S":"` + strings.Repeat("x", 390_000) + `"}}}`
	if _, err := call(g.Endpoint, "PutItem", put); err != nil {
		t.Fatal(err)
	}
	got, err := call(g.Endpoint, "GetItem", `{"TableName":"numbers","Key":{"pk":{"S":"1"}}}`)
	if err != nil || len(got) < 390_000 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestAGuardEndsWithItsEngine(t *testing.T) {
	g := beginGuarded(t, Options{})
	if err := g.engine.process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-g.Done()
	if _, err := call(g.Endpoint, "ListTables", "{}"); err == nil {
		t.Error("an engine that has ended answers")
	}
	if err := g.Stop(); err == nil || !strings.Contains(err.Error(), "ended by itself") {
		t.Errorf("%v", err)
	}
	if c, err := net.Dial("tcp", strings.TrimPrefix(g.Endpoint, "http://")); err == nil {
		_ = c.Close()
		t.Error("the guard still listens")
	}
}

// It is where it was, for programs that know its address.
func TestAnEngineThatEndsIsStartedAgain(t *testing.T) {
	again := make(chan error, 1)
	path := filepath.Join(t.TempDir(), "touchline.db")
	g := beginGuarded(t, Options{DBPath: path, Restarted: func(why error) { again <- why }})
	if _, err := call(g.Endpoint, "CreateTable", createTable); err != nil {
		t.Fatal(err)
	}
	if err := g.engine.process.Kill(); err != nil {
		t.Fatal(err)
	}
	if why := <-again; why == nil || !strings.Contains(why.Error(), "ended by itself") {
		t.Errorf("%v", why)
	}
	for _, endpoint := range []string{g.Endpoint, g.Direct} {
		if got, err := call(endpoint, "ListTables", "{}"); err != nil || !strings.Contains(got, "numbers") {
			t.Errorf("%s: %s, %v", endpoint, got, err)
		}
	}
	if err := g.Stop(); err != nil {
		t.Error(err)
	}
}

func TestAnEngineMayEndFiveTimesInAMinute(t *testing.T) {
	now := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	var ended []time.Time
	for i := range 5 {
		if tooOften(ended, now) {
			t.Errorf("given up after %d", i)
		}
		ended = append(ended, now)
	}
	if !tooOften(ended, now.Add(59*time.Second)) || tooOften(ended, now.Add(time.Minute)) {
		t.Error("five in a minute are the most")
	}
}

// A page that looks for the engine has 127.0.0.1 and ::1 only, unless it guesses.
func TestTheEngineBehindAGuardIsHidden(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has more than one loopback address")
	}
	a, b := beginGuarded(t, Options{}), beginGuarded(t, Options{})
	host := func(endpoint string) string {
		h, _, _ := net.SplitHostPort(strings.TrimPrefix(endpoint, "http://"))
		return h
	}
	if host(a.Direct) == host(b.Direct) || host(a.Direct) == "127.0.0.1" {
		t.Errorf("engines at %s and %s", a.Direct, b.Direct)
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(a.Direct, "http://"))
	if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
		_ = c.Close()
		t.Error("the engine listens on 127.0.0.1, too")
	}
}

// In a folder that others may read, also where an earlier engine made the files.
func TestTheFilesOfADatabaseAreTheirOwners(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // that is the case
		t.Fatal(err)
	}
	path := filepath.Join(dir, "touchline.db")
	for range 2 {
		e := begin(t, Options{DBPath: path})
		if _, err := call(e.Endpoint, "CreateTable", createTable); err != nil && !strings.Contains(err.Error(), "ResourceInUse") {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) < 2 {
			t.Fatal(entries, err)
		}
		for _, entry := range entries {
			if info, err := entry.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", entry.Name(), info.Mode(), err)
			}
		}
		if err := e.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o644); err != nil { //nolint:gosec // that is the case
			t.Fatal(err)
		}
	}
}

func TestAGuardThatCannotStartLeavesNothing(t *testing.T) {
	need(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	db := filepath.Join(t.TempDir(), "touchline.db")
	if _, err := StartGuarded(t.Context(), Options{Addr: taken.Addr().String(), DBPath: db}); !errors.Is(err, ErrAddressInUse) {
		t.Errorf("%v", err)
	}
	if _, err := StartGuarded(t.Context(), Options{Addr: "0.0.0.0:0", DBPath: db}); err == nil {
		t.Error("a guard on every interface")
	}
	held := begin(t, Options{DBPath: db})
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := StartGuarded(t.Context(), Options{Addr: addr, DBPath: db}); !errors.Is(err, ErrDatabaseInUse) {
		t.Errorf("%v", err)
	}
	if err := held.Stop(); err != nil {
		t.Fatal(err)
	}
	if g, err := StartGuarded(t.Context(), Options{Addr: addr, DBPath: db}); err != nil {
		t.Errorf("the port was kept: %v", err)
	} else if err := g.Stop(); err != nil {
		t.Error(err)
	}
}

// BenchmarkGuard measures what the guard costs a load: run it with -bench Guard.
func BenchmarkGuard(b *testing.B) {
	path, err := Find()
	if err != nil {
		b.Skip(err)
	}
	g, err := StartGuarded(b.Context(), Options{Binary: path})
	if err != nil {
		b.Fatal(err)
	}
	defer g.Stop() //nolint:errcheck // a benchmark
	if _, err := call(g.Endpoint, "CreateTable", createTable); err != nil {
		b.Fatal(err)
	}
	for name, endpoint := range map[string]string{"guarded": g.Endpoint, "direct": g.Direct} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := call(endpoint, "GetItem", `{"TableName":"numbers","Key":{"pk":{"S":"1"}}}`); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
