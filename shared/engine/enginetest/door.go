package enginetest

import (
	"bytes"
	"crypto/rand"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"testing"
)

// startAWS returns the endpoint of a door to AWS's engine at an address, with tables of
// its own.
func startAWS(t testing.TB, address string) string {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil || to.Host == "" {
		t.Fatalf("%s is %q: want dynoxide, or the address of AWS's engine", Variable, address)
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
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			signed := r.In.Header.Get("Authorization")
			r.Out.Header.Set("Authorization", credential.ReplaceAllString(signed, "Credential="+accessKey+"/$1/us-east-1/"))
		},
		Transport: transport,
		ErrorLog:  log.New(io.Discard, "", 0),
		// The client has gone, or the engine has: in either case all that is
		// left to do is to close the connection.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	// The engine may respond while the transport is still reading the end of the
	// body. net/http then closes the body that it gave us, which the transport
	// takes for a failure, and it breaks off the response. So the transport gets
	// a copy.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		proxy.ServeHTTP(w, r)
	})
}
