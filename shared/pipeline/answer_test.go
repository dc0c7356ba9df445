package pipeline_test

import (
	"context"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/keys"
	"touchline/shared/pipeline"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/route"
)

func TestHeadersOfAnAnswer(t *testing.T) {
	all := map[string]string{"X-Service-Api-Version": "1", "X-Request-Id": "request-1", "Cache-Control": "no-store", "Content-Type": "application/json; charset=utf-8"}
	and := func(more ...map[string]string) map[string]string {
		m := maps.Clone(all)
		for _, headers := range more {
			maps.Copy(m, headers)
		}
		return m
	}
	// The window begins at 15:09:26.535, so it ends within second 1773501027.
	rate := map[string]string{"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1773501027"}
	tests := []struct {
		name string
		arm  func(*testing.T, *attempt)
		want map[string]string
	}{
		{"data", func(*testing.T, *attempt) {}, and(rate, map[string]string{"Vary": "Accept-Encoding"})},
		{"method", func(_ *testing.T, a *attempt) { a.method = "PUT" }, and(map[string]string{"Allow": "GET, HEAD"})},
		{"method on an unknown path", func(_ *testing.T, a *attempt) { a.method, a.path = "DELETE", "/x" }, and(map[string]string{"Allow": "GET, HEAD"})},
		{"unknown route", func(_ *testing.T, a *attempt) { a.path = "/" }, all},
		{"unauthorized", func(_ *testing.T, a *attempt) { a.at = a.at.Add(-time.Hour) }, all},
		{"bad request after the rate", func(_ *testing.T, a *attempt) { a.query = []string{"x=1"} }, and(rate)},
		{"rate", func(_ *testing.T, a *attempt) { a.exhaustRate() }, and(map[string]string{"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1773501027", "Retry-After": "60"})},
		{"quota", func(t *testing.T, a *attempt) {
			a.SetKey(t, func(k *keys.Key) { none := 0; k.MonthlyQuota = &none })
		}, and(map[string]string{"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1773501027", "Retry-After": "1500634"})},
		{"panic", func(_ *testing.T, a *attempt) {
			a.handler.answer = func(context.Context, route.Call, listParams) (route.Data[string], error) { panic("x") }
		}, and(rate)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newAttempt(t)
			tt.arm(t, a)
			got := headers(t, a.Serve(t.Context(), a.request()))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOPTIONSIsEmptyWhateverThePath(t *testing.T) {
	for _, path := range []string{listPath, "/", "/v1/%zz", "/" + strings.Repeat("x", 3000)} {
		w := newWorld(t)
		r := w.Serve(t.Context(), pipeline.Request{Method: "OPTIONS", Path: path, HasBody: true, SourceIP: pipelinetest.Caller})
		want := map[string]string{"X-Service-Api-Version": "1", "X-Request-Id": "request-1", "Cache-Control": "no-store", "Allow": "GET, HEAD"}
		if diff := cmp.Diff(want, headers(t, r)); r.Status != http.StatusNoContent || len(r.Body) > 0 || diff != "" {
			t.Errorf("%.20s: %d %q %s", path, r.Status, r.Body, diff)
		}
	}
}

func TestHEADIsGETWithoutTheBody(t *testing.T) {
	for _, f := range append(faults(), fault{name: "no fault", arm: func(*testing.T, *attempt) {}}) {
		if f.step == 1 {
			continue // not a HEAD
		}
		t.Run(f.String(), func(t *testing.T) {
			answer := func(method string) pipeline.Response {
				a := newAttempt(t)
				a.method = method
				f.arm(t, a)
				return a.Serve(t.Context(), a.request())
			}
			get, head := answer("GET"), answer("HEAD")
			want := headers(t, get)
			want["Content-Length"] = strconv.Itoa(len(get.Body))
			if diff := cmp.Diff(want, headers(t, head)); diff != "" || head.Status != get.Status || len(head.Body) > 0 || len(get.Body) == 0 {
				t.Errorf("%d, %d, %q %s", get.Status, head.Status, head.Body, diff)
			}
		})
	}
}

func TestTheTargetIsMeasuredWithItsQuestionMark(t *testing.T) {
	path := "/v1/clubs/" + strings.Repeat("x", 100) + "/players"
	for length, want := range map[int]int{2047: 401, 2048: 401, 2049: 400} {
		w := newWorld(t)
		query := strings.Repeat("q", length-len(path)-1)
		r := w.Serve(t.Context(), pipeline.Request{Method: "GET", Path: path, Query: query, SourceIP: pipelinetest.Caller})
		if r.Status != want {
			t.Errorf("%d bytes: %d, want %d", length, r.Status, want)
		}
	}
	for length, want := range map[int]int{2048: 404, 2049: 400} {
		r := newWorld(t).Serve(t.Context(), pipeline.Request{Method: "GET", Path: "/" + strings.Repeat("x", length-1), SourceIP: pipelinetest.Caller})
		if r.Status != want {
			t.Errorf("%d bytes of path: %d, want %d", length, r.Status, want)
		}
	}
}

func TestContentLengths(t *testing.T) {
	for value, want := range map[string]int{"0": 200, "00": 200, "1": 400, "01": 400, "": 400, "0,0": 400, "-0": 400, "0x0": 400, "abc": 400, "+0": 400} {
		w := newWorld(t)
		r := w.sign(listPath, "", "n")
		r.Headers.Set("content-length", value)
		if got := w.Serve(t.Context(), r); got.Status != want {
			t.Errorf("%q: %d, want %d", value, got.Status, want)
		}
	}
}
