package enginetest

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"sync"
	"testing"

	"touchline/shared/engine"
)

// ofProcess is the engine that the tests of one package share: testing has no
// other scope between a test and the process. The kernel ends it with the
// process.
var ofProcess = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.StartAWS(context.Background(), engine.AWSOptions{})
})

// startAWS returns the endpoint of a door to AWS's engine, with tables of its
// own.
func startAWS(t testing.TB) string {
	t.Helper()
	start := ofProcess
	if runtime.GOOS != "linux" {
		// Other kernels do not end it with the process.
		start = func() (*engine.Engine, error) {
			e, err := engine.StartAWS(t.Context(), engine.AWSOptions{})
			if err == nil {
				t.Cleanup(func() { stop(t, e) })
			}
			return e, err
		}
	}
	e, err := start()
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.Parse(e.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	door := httptest.NewServer(newDoor(to, rand.Text(), transport))
	t.Cleanup(func() {
		door.Close()
		transport.CloseIdleConnections()
	})
	return door.URL
}

// credential finds access key, date and region in the Authorization header of a
// request.
var credential = regexp.MustCompile(`Credential=[^/,]*/([0-9]+)/[^/,]*/`)

// newDoor forwards requests to AWS's engine with one access key and one region,
// whatever they were signed with: the engine has separate tables for each, and
// checks no signature.
func newDoor(to *url.URL, accessKey string, transport http.RoundTripper) http.Handler {
	return engine.Forward(to, func(in, out *http.Request) {
		signed := in.Header.Get("Authorization")
		out.Header.Set("Authorization", credential.ReplaceAllString(signed, "Credential="+accessKey+"/$1/us-east-1/"))
	}, transport)
}
