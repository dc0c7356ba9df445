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
// scope between a test and the process but this. The kernel ends it with the
// process.
var ofProcess = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.StartAWS(context.Background(), engine.AWSOptions{})
})

// startAWS returns the endpoint of a door to AWS's engine that leads to tables
// of its own.
func startAWS(t testing.TB) string {
	t.Helper()
	start := ofProcess
	if runtime.GOOS != "linux" {
		// No other kernel ends it with the process.
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

// credential is who signed, when and for which region, in the Authorization
// header of a request.
var credential = regexp.MustCompile(`Credential=[^/,]*/([0-9]+)/[^/,]*/`)

// newDoor hands requests on to AWS's engine in the name of one access key and
// one region, whatever they were signed with: by those it keeps tables apart,
// and it checks no signature.
func newDoor(to *url.URL, accessKey string, transport http.RoundTripper) http.Handler {
	return engine.Forward(to, func(in, out *http.Request) {
		signed := in.Header.Get("Authorization")
		out.Header.Set("Authorization", credential.ReplaceAllString(signed, "Credential="+accessKey+"/$1/us-east-1/"))
	}, transport)
}
