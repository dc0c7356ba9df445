package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"touchline/shared/limits"
	"touchline/shared/store/generation"
	"touchline/shared/store/records/recordstest"
)

var start = time.Date(2026, time.March, 14, 15, 9, 26, 0, time.UTC)

// nonces is a store that fails with an error.
type nonces struct{ err error }

func (n nonces) Consume(context.Context, limits.Nonce) error { return n.err }

// newBox is a box whose table holds data.
func newBox(t *testing.T) *Box {
	t.Helper()
	b := &Box{
		Now: func() time.Time { return start }, Data: t.TempDir(),
		Sports: recordstest.New(t).Table, Nonces: nonces{},
		LogFault: func() error { return nil },
	}
	if err := generation.Begin(t.Context(), b.Sports); err != nil {
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
	for _, check := range []string{"store", "data", "log"} {
		if found[check].State != OK {
			t.Errorf("%+v", found[check])
		}
	}
	if found["disk"].State != Fault && code != http.StatusOK {
		t.Errorf("%d: %v", code, found)
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
