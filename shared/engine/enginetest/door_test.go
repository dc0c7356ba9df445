package enginetest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// reader reads by calling itself.
type reader func([]byte) (int, error)

func (f reader) Read(p []byte) (int, error) { return f(p) }

// A transport that has a response may still be reading the end of the request
// body, and net/http takes the body away from it once part of the response has
// been written.
func TestTheRequestLastsAsLongAsItsAnswer(t *testing.T) {
	const sent = `{"RequestItems":{}}`
	seen := ""
	to := &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
	door := httptest.NewServer(newDoor(to, "key", roundTripper(func(r *http.Request) (*http.Response, error) {
		part := strings.NewReader(strings.Repeat("x", 64<<10)) // more than is buffered
		rest := reader(func([]byte) (int, error) {
			body, err := io.ReadAll(r.Body)
			seen = string(body)
			if err != nil {
				return 0, err
			}
			return 0, io.EOF
		})
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(io.MultiReader(part, rest))}, nil
	})))
	defer door.Close()
	resp, err := http.Post(door.URL, "application/x-amz-json-1.0", strings.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if n, err := io.Copy(io.Discard, resp.Body); n != 64<<10 || err != nil {
		t.Errorf("an answer of %d bytes, %v", n, err)
	}
	if seen != sent {
		t.Errorf("after part of the answer the body is %q", seen)
	}
}
