package store

import (
	"bytes"
	"io"
	"net/http"
	"testing"
)

// sdkBody is a request's body as the SDK has it: once it is closed, WriteTo
// returns io.EOF, which net/http takes for a failed connection.
type sdkBody struct{ *bytes.Reader }

func (sdkBody) Close() error                     { return nil }
func (sdkBody) WriteTo(io.Writer) (int64, error) { return 0, io.EOF }

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestALocalRequestsBodyIsOnlyRead(t *testing.T) {
	sent := &http.Request{Body: sdkBody{bytes.NewReader([]byte("body"))}, ContentLength: 4}
	_, err := plainBody{roundTripper(func(r *http.Request) (*http.Response, error) {
		if _, can := r.Body.(io.WriterTo); can {
			t.Error("the body can be asked to write itself")
		}
		if got, err := io.ReadAll(r.Body); string(got) != "body" || err != nil || r.ContentLength != 4 {
			t.Errorf("body %q of %d, %v", got, r.ContentLength, err)
		}
		return &http.Response{}, nil
	})}.RoundTrip(sent)
	if err != nil {
		t.Error(err)
	}
	if _, same := sent.Body.(sdkBody); !same {
		t.Error("the caller's request was changed")
	}
	for _, empty := range []io.ReadCloser{nil, http.NoBody} {
		_, err := plainBody{roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Body != empty {
				t.Error("no body became one")
			}
			return &http.Response{}, nil
		})}.RoundTrip(&http.Request{Body: empty})
		if err != nil {
			t.Error(err)
		}
	}
}
