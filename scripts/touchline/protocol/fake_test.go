package protocol

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"touchline/shared/signing"
)

const (
	keyID  = "tk_test"
	secret = "s3cr3t-Example_0001"
)

// noon is the time in tests: far in the future, so that the machine's clock
// never reaches the deadline of a context.
func noon() time.Time { return time.Date(2099, 3, 14, 12, 0, 0, 0, time.UTC) }

// fake is a service that checks time, nonce and signature, and then responds as
// the test says.
type fake struct {
	t     *testing.T
	clock time.Time
	// answer is called with the number of the request, from 1, after
	// authentication.
	answer func(n int, w http.ResponseWriter, r *http.Request)

	mu      sync.Mutex
	nonces  map[string]bool
	targets []string // of all requests, as sent
	url     string
}

func newFake(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) *fake {
	t.Helper()
	f := &fake{t: t, clock: noon(), answer: answer, nonces: map[string]bool{}}
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	f.url = s.URL
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.targets = append(f.targets, r.RequestURI)
	n := len(f.targets)
	w.Header().Set("Date", f.clock.Format(http.TimeFormat))
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Request-Id", fmt.Sprint("request-", n))
	ok := f.authentic(r)
	f.mu.Unlock()
	if !ok {
		refuse(w, 401, `"code":"unauthorized","message":"Invalid credentials"`)
		return
	}
	f.answer(n, w, r)
}

// authentic is D1 steps 7 to 11.
func (f *fake) authentic(r *http.Request) bool {
	path, query, _ := strings.Cut(r.RequestURI, "?")
	headers, err := signing.ParseHeaders(func(name string) (string, bool) {
		return strings.Join(r.Header.Values(name), ","), r.Header.Get(name) != ""
	})
	canonical, cerr := signing.Message{
		Method: r.Method, Path: path[strings.Index(path, "/v1"):], Query: query,
		Timestamp: headers.Timestamp, Nonce: headers.Nonce,
	}.Canonical()
	if err != nil || cerr != nil || headers.Key != keyID || !signing.Fresh(headers.Timestamp, f.clock) ||
		!signing.Verify([]string{secret}, canonical, headers.Signature) {
		return false
	}
	if f.nonces[headers.Nonce] {
		f.t.Errorf("request %d: the nonce was sent before", len(f.targets))
		return false
	}
	f.nonces[headers.Nonce] = true
	return true
}

func refuse(w http.ResponseWriter, status int, inner string) {
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"error":{%s}}`, inner)
}

func (f *fake) client() *client {
	return &client{base: f.url, key: credential{keyID, secret}, now: noon}
}

// send makes a request of a new client.
func (f *fake) send(t *testing.T) *response {
	t.Helper()
	r, err := f.client().send(t.Context(), signing.Message{Method: http.MethodGet}, "/v1/ping")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sent returns the targets of all requests so far.
func (f *fake) sent() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.targets)
}
