package pipeline_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/store/generation"
)

// data is what is known of the data.
type data struct {
	state  *generation.State
	err    error
	panics bool
}

func (d *data) Generation(context.Context) (*generation.State, error) {
	if d.panics {
		panic("generation")
	}
	return d.state, d.err
}

func TestA200SaysWhichDataItShows(t *testing.T) {
	w := newWorld(t)
	ended := w.Time.Add(-time.Minute)
	tests := []struct {
		name                  string
		data                  *data
		version, lastModified string
	}{
		{"at rest", &data{state: &generation.State{Version: 17, Ended: ended}}, "17", "Sat, 14 Mar 2026 15:08:26 GMT"},
		{"while a load is written", &data{state: &generation.State{Version: 17, Writing: true, Ended: ended}}, "17+", "Sat, 14 Mar 2026 15:08:26 GMT"},
		{"just after one", &data{state: &generation.State{Version: 18, Ended: w.Time.Add(-29 * time.Second)}}, "18+", "Sat, 14 Mar 2026 15:08:57 GMT"},
		{"the first load", &data{state: &generation.State{Writing: true}}, "0+", ""},
		{"not known now", &data{}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.Data = tt.data
			for _, method := range []string{"GET", "HEAD"} {
				r := w.Serve(t.Context(), signAt(w.Time, method, listPath, "", "n-"+method))
				got := headers(t, r)
				if r.Status != 200 || got["X-Service-Data-Version"] != tt.version || got["Last-Modified"] != tt.lastModified {
					t.Errorf("%s: %d %q %q", method, r.Status, got["X-Service-Data-Version"], got["Last-Modified"])
				}
			}
			refused := headers(t, w.Serve(t.Context(), w.sign(listPath, "x=1", "n-2")))
			if _, there := refused["X-Service-Data-Version"]; there {
				t.Error("a refusal has it")
			}
		})
	}
}

// ping is the operation that shows no data.
func ping(t *testing.T) *pipelinetest.Service {
	t.Helper()
	return pipelinetest.New(t, route.Define(route.Row{Group: route.GroupPing, Path: "/v1/ping"},
		func(context.Context, route.Call, struct{}) (route.Data[string], error) {
			return route.Data[string]{Data: "here"}, nil
		}))
}

func TestDataOfAnotherLayoutIsRefusedAndNobodyCharged(t *testing.T) {
	other := &data{err: &generation.OtherError{Layouts: []int{8}}}
	w := newWorld(t)
	w.Data = other
	// Of another layout anything may be wrong with the organization.
	for i, standing := range []*organizations{{active: true, pro: true}, {}, {err: errors.New("not a record")}} {
		w.Organizations = standing
		r := w.Serve(t.Context(), w.sign(listPath, "", "nonce-"+strconv.Itoa(i)))
		if r.Status != http.StatusServiceUnavailable || !strings.Contains(string(r.Body), string(problem.ServiceUnavailable)) || strings.Contains(string(r.Body), "layout") {
			t.Errorf("%d %s", r.Status, r.Body)
		}
		for name := range headers(t, r) {
			if strings.HasPrefix(name, "X-RateLimit") || name == "X-Service-Data-Version" {
				t.Errorf("%s is there", name)
			}
		}
	}
	if w.quotas.taken.Load() != 0 || w.Rates.Peek(pipelinetest.KeyID, w.Time).Remaining != 60 {
		t.Error("somebody was charged")
	}
	for _, part := range []string{`"why":"otherLayout"`, `"check":14`, `"store":"sports"`, "has data of layout 8"} {
		if !strings.Contains(w.Log.String(), part) {
			t.Errorf("%s is not in the log: %s", part, w.Log.String())
		}
	}
	for name, standing := range map[string]pipelinetest.Standing{"good": {Active: true, Pro: true}, "unknown": {}, "unreadable": {Err: errors.New("not a record")}} {
		s := ping(t)
		s.Data, s.Organizations = other, standing
		r := s.Serve(t.Context(), signAt(s.Time, "GET", "/v1/ping", "", "n"))
		if _, there := headers(t, r)["X-Service-Data-Version"]; r.Status != 200 || there {
			t.Errorf("ping, organization %s: %d %s", name, r.Status, r.Body)
		}
	}
}

// What is not known to be of this layout is not shown.
func TestWithoutKnowingTheLayoutNothingIsShown(t *testing.T) {
	for name, unread := range map[string]*data{"the store fails": {err: errors.New("disturbed")}, "a fault": {panics: true}} {
		w := newWorld(t)
		w.Data = unread
		if r := w.Serve(t.Context(), w.sign(listPath, "", "n")); r.Status != http.StatusInternalServerError || w.quotas.taken.Load() != 0 {
			t.Errorf("%s: %d", name, r.Status)
		}
		s := ping(t)
		s.Data = unread
		if r := s.Serve(t.Context(), signAt(s.Time, "GET", "/v1/ping", "", "n")); r.Status != 200 {
			t.Errorf("%s: ping: %d", name, r.Status)
		}
	}
}
