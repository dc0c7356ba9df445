package health

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/engine/enginetest"
	"touchline/shared/limits"
	"touchline/shared/meter"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/direct"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

var start = time.Date(2026, time.March, 14, 15, 9, 26, 0, time.UTC)

// nonces is a store that fails with an error.
type nonces struct{ err error }

func (n nonces) Consume(context.Context, limits.Nonce) error { return n.err }

// newBox is a box whose table holds data.
func newBox(t *testing.T) *Box {
	t.Helper()
	client, err := store.NewClient(t.Context(), store.Settings{Endpoint: enginetest.Start(t), Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateTable(t.Context(), records.SportsTable("sports")); err != nil {
		t.Fatal(err)
	}
	b := &Box{
		Version: `1"2`, Now: func() time.Time { return start }, Began: start.Add(-time.Hour), Data: t.TempDir(),
		Sports: &store.Table{DB: direct.New(client), Name: "sports"}, Nonces: nonces{},
		Usage:    func(context.Context) (map[sport.ID]int, error) { return map[sport.ID]int{"b": 2, "a": 1}, nil },
		LogFault: func() error { return nil },
	}
	if _, err := generation.Begin(t.Context(), b.Sports); err != nil {
		t.Fatal(err)
	}
	if err := generation.End(t.Context(), b.Sports, 1, start.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	return b
}

// get asks the box's server.
func (b *Box) get(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	b.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestHealthIsTheWorstOfItsFindings(t *testing.T) {
	b := newBox(t)
	state := func() (int, map[string]Finding) {
		t.Helper()
		w := b.get(t, "/health")
		var r Report
		if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		found := map[string]Finding{}
		for _, f := range r.Findings {
			found[f.Check] = f
		}
		return w.Code, found
	}
	code, found := state()
	for _, check := range []string{"store", "data", "engine", "log"} {
		if found[check].State != OK {
			t.Errorf("%+v", found[check])
		}
	}
	if found["disk"].State != Fault && code != http.StatusOK {
		t.Errorf("%d: %v", code, found)
	}
	b.Restarted()
	if _, found = state(); found["engine"].State != Warning {
		t.Errorf("%+v", found["engine"])
	}
	b.Nonces, b.LogFault = nonces{errors.New("database or disk is full")}, func() error { return errors.New("no space left on device") }
	b.Data = "/nowhere"
	if code, found = state(); code != http.StatusServiceUnavailable {
		t.Errorf("%d", code)
	}
	for _, check := range []string{"store", "log", "disk"} {
		if found[check].State != Fault {
			t.Errorf("%+v", found[check])
		}
	}
}

func TestMetricsAreInPrometheusFormat(t *testing.T) {
	b := newBox(t)
	now := start
	spent := &meter.Meter{Now: func() time.Time { return now }}
	call := meter.Begin(meter.With(t.Context(), spent), meter.Keys)
	now = now.Add(30 * time.Millisecond)
	call.End(1)
	meter.Hit(meter.With(t.Context(), spent), meter.Sports, 3)
	b.Request(&accesslog.Entry{Method: "GET", Route: "/v1/teams/{id}", Status: 200, Took: 7 * time.Millisecond, Spent: spent})
	b.Request(&accesslog.Entry{Method: "GET", Route: "/v1/teams/{id}", Status: 200, Took: 20 * time.Second})
	b.Request(&accesslog.Entry{Method: "<script>", Status: 404, Why: accesslog.Why{Word: accesslog.RouteUnknown}})
	b.Request(&accesslog.Entry{Method: "HEAD", Route: "/v1/ping", Status: 503, Why: accesslog.Why{Word: accesslog.StoreFailed, Store: "nonces"}})
	w := b.get(t, "/metrics")
	if got := w.Header().Get("Content-Type"); !strings.HasPrefix(got, "text/plain; version=0.0.4") {
		t.Error(got)
	}
	text := w.Body.String()
	for _, line := range []string{
		`touchline_build_info{version="1\"2"} 1`,
		`touchline_requests_total{method="GET",route="/v1/teams/{id}",status="200"} 2`,
		`touchline_requests_total{method="other",route="unknown",status="404"} 1`,
		`touchline_request_duration_seconds_bucket{route="/v1/teams/{id}",le="0.005"} 0`,
		`touchline_request_duration_seconds_bucket{route="/v1/teams/{id}",le="0.01"} 1`,
		`touchline_request_duration_seconds_bucket{route="/v1/teams/{id}",le="10"} 1`,
		`touchline_request_duration_seconds_bucket{route="/v1/teams/{id}",le="+Inf"} 2`,
		`touchline_request_duration_seconds_count{route="/v1/teams/{id}"} 2`,
		`touchline_refusals_total{reason="routeUnknown"} 1`,
		`touchline_store_failures_total{store="nonces"} 1`,
		`touchline_store_calls_total{store="keys"} 1`,
		`touchline_store_seconds_total{store="keys"} 0.03`,
		`touchline_cache_hits_total{store="sports"} 3`,
		`touchline_engine_restarts_total 0`,
		`touchline_healthy{check="store"} 1`,
		`touchline_data_version 1`,
		`touchline_load_writing 0`,
		`touchline_quota_used{organization="a"} 1`,
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("%s is not in it", line)
		}
	}
	// Each metric is described once, before its samples, which are next to each other.
	described, last := map[string]bool{}, ""
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "# HELP "); ok {
			last, _, _ = strings.Cut(name, " ")
			if described[last] {
				t.Errorf("%s is there twice", last)
			}
			described[last] = true
		} else if !strings.HasPrefix(line, "# TYPE "+last+" ") && !strings.HasPrefix(line, last) {
			t.Errorf("%q is below %s", line, last)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}
