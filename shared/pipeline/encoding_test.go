package pipeline_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"touchline/shared/accesslog"
	"touchline/shared/pipeline"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/route"
)

// shell is what surrounds the text in the answer of textOf.
const shell = len(`{"data":""}`)

// textOf is a service with one operation, /v1/ping, whose body has so many
// bytes.
func textOf(t testing.TB, length int) *pipelinetest.Service {
	text := strings.Repeat("a", length-shell)
	return pipelinetest.New(t, route.Define(route.Row{Group: route.GroupPing, Path: "/v1/ping"},
		func(context.Context, route.Call, route.None) (route.Data[string], error) {
			return route.Data[string]{Data: text}, nil
		}))
}

// ask sends a signed request with a value of Accept-Encoding; empty: none.
func ask(t testing.TB, s *pipelinetest.Service, method, nonce, accept string) pipeline.Response {
	r := pipeline.Request{Method: method, Path: "/v1/ping", Headers: pipelinetest.Sign(s.Time, method, "/v1/ping", "", nonce), SourceIP: pipelinetest.Caller}
	if accept != "" {
		r.Headers.Set("accept-encoding", accept)
	}
	return s.Serve(t.Context(), r)
}

func unzip(t testing.TB, body []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func TestABodyIsCompressedWhereTheCallerTakesItAndItIsWorthIt(t *testing.T) {
	tests := []struct {
		accept string
		length int
		want   bool
	}{
		{"gzip", 1024, true},
		{"gzip", 1023, false},
		{"", 5000, false},
		{"deflate, br", 5000, false},
		{"deflate, gzip;q=0.5, br", 5000, true},
		{"GZip", 5000, true},
		{"x-gzip", 5000, true},
		{"*", 5000, true},
		{"gzip;q=0", 5000, false},
		{"gzip;q=0.000", 5000, false},
		{"*, gzip;q=0", 5000, false},
		{"*;q=0, gzip", 5000, true},
		{"gzip ; q=0.8 , identity", 5000, false},
		{"identity;q=0.5,gzip;q=0.5", 5000, true},
		{"gzip;q=1", 5000, true},
		{"gzip;q=2", 5000, false},
		{"gzip;q=NaN", 5000, false},
		{"gzip;q=", 5000, false},
		{"gzip;level=9", 5000, false},
		{";;,,=", 5000, false},
	}
	for i, tt := range tests {
		t.Run(fmt.Sprintf("%s of %d bytes", tt.accept, tt.length), func(t *testing.T) {
			s := textOf(t, tt.length)
			plain := ask(t, s, http.MethodGet, fmt.Sprint("plain", i), "")
			got := ask(t, s, http.MethodGet, fmt.Sprint("got", i), tt.accept)
			if len(plain.Body) != tt.length || header(got, "Vary") != "Accept-Encoding" || header(plain, "Vary") != "Accept-Encoding" {
				t.Fatalf("%d bytes, %v", len(plain.Body), got.Headers)
			}
			if !tt.want {
				if !bytes.Equal(got.Body, plain.Body) || header(got, "Content-Encoding") != "" {
					t.Errorf("%q", header(got, "Content-Encoding"))
				}
				return
			}
			if header(got, "Content-Encoding") != "gzip" || !bytes.Equal(unzip(t, got.Body), plain.Body) {
				t.Errorf("%v", got.Headers)
			}
			if header(got, "Content-Length") != fmt.Sprint(len(got.Body)) {
				t.Errorf("Content-Length %q of %d bytes", header(got, "Content-Length"), len(got.Body))
			}
			head := ask(t, s, http.MethodHead, fmt.Sprint("head", i), tt.accept)
			for _, name := range []string{"Content-Encoding", "Content-Length", "Vary", "Content-Type"} {
				if header(head, name) != header(got, name) {
					t.Errorf("HEAD has %s %q, GET %q", name, header(head, name), header(got, name))
				}
			}
			if len(head.Body) != 0 {
				t.Errorf("HEAD has a body of %d bytes", len(head.Body))
			}
		})
	}
}

func TestAnAnswerThatIsTooLargeIsOurFault(t *testing.T) {
	for _, length := range []int{5_000_000, 5_000_001} {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			s := textOf(t, length)
			r := ask(t, s, http.MethodGet, "n", "gzip")
			line, err := accesslog.Parse([]byte(s.Log.String()))
			if err != nil {
				t.Fatal(err)
			}
			if length <= 5_000_000 {
				if r.Status != http.StatusOK || len(unzip(t, r.Body)) != length {
					t.Errorf("status %d", r.Status)
				}
				return
			}
			if r.Status != http.StatusInternalServerError || document(t, r).Code != "internalError" {
				t.Errorf("%d %s", r.Status, r.Body)
			}
			if line.Why != accesslog.AnswerTooLarge || line.Details.Bytes != length || line.Details.Limit != 5_000_000 || line.Check != 21 {
				t.Errorf("%s", s.Log)
			}
		})
	}
}

// A function returns a body that is not compressed as a string in JSON, in which
// a quote takes twice the space: what Lambda would not take is refused, not lost.
func TestAnAnswerThatLambdaWouldNotTakeIsOurFault(t *testing.T) {
	for name, tt := range map[string]struct {
		quotes int // two bytes each in the body, four as a string
		accept string
		status int
	}{
		"fits":                       {1_500_000, "", http.StatusOK},
		"too long":                   {1_600_000, "", http.StatusInternalServerError},
		"too long but for a program": {1_600_000, "gzip", http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(`"`, tt.quotes)
			s := pipelinetest.New(t, route.Define(route.Row{Group: route.GroupPing, Path: "/v1/ping"},
				func(context.Context, route.Call, route.None) (route.Data[string], error) {
					return route.Data[string]{Data: text}, nil
				}))
			r := ask(t, s, http.MethodGet, "n", tt.accept)
			if r.Status != tt.status {
				t.Errorf("%d, want %d", r.Status, tt.status)
			}
			payload, err := json.Marshal(string(r.Body))
			if err != nil || utf8.Valid(r.Body) && len(payload) > 6_291_556-10_000 {
				t.Errorf("%d bytes as a string (%v)", len(payload), err)
			}
		})
	}
}
