package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/pipeline"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
)

const listPath = "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/players"

// world is a service of one operation, with faults to arm and counters of what
// happened to it.
type world struct {
	*pipelinetest.Service
	standing *organizations
	nonces   *nonceStore
	quotas   *quotaStore
	handler  *handler
}

// listParams are the parameters of the one operation.
type listParams struct {
	route.Descendants
	route.Sorting
	route.Paging
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{
		standing: &organizations{active: true, pro: true},
		nonces:   &nonceStore{},
		quotas:   &quotaStore{},
		handler:  &handler{},
	}
	w.Service = pipelinetest.New(t, route.Define(route.Row{
		Group: route.GroupOrganizations, Path: "/v1/{alias}/{id}/players",
		Scopes: []keys.Scope{keys.PlayersRead}, Window: true,
	}, w.handler.serve))
	w.nonces.NonceStore, w.quotas.QuotaStore = w.Nonces, w.Quotas
	w.Organizations, w.Nonces, w.Quotas = w.standing, w.nonces, w.quotas
	return w
}

type organizations struct {
	active, pro bool
	err         error
	panics      bool
}

func (o *organizations) Standing(context.Context, sport.ID) (active, pro bool, err error) {
	if o.panics {
		panic("standing")
	}
	return o.active, o.pro, o.err
}

// nonceStore counts what is consumed; before runs first.
type nonceStore struct {
	limits.NonceStore
	before   func(context.Context) error
	consumed atomic.Int64
}

func (s *nonceStore) Consume(ctx context.Context, n limits.Nonce) error {
	if s.before != nil {
		if err := s.before(ctx); err != nil {
			return err
		}
	}
	err := s.NonceStore.Consume(ctx, n)
	if err == nil {
		s.consumed.Add(1)
	}
	return err
}

// quotaStore counts what is taken; before runs first, after when it was taken.
type quotaStore struct {
	limits.QuotaStore
	before func(context.Context) error
	after  func()
	taken  atomic.Int64
}

func (s *quotaStore) Take(ctx context.Context, q limits.Quota) (limits.Decision, error) {
	if s.before != nil {
		if err := s.before(ctx); err != nil {
			return limits.Decision{}, err
		}
	}
	d, err := s.QuotaStore.Take(ctx, q)
	if err == nil && d.Allowed {
		s.taken.Add(1)
	}
	if s.after != nil {
		s.after()
	}
	return d, err
}

// handler returns its call unless answer is set.
type handler struct {
	mu     sync.Mutex
	calls  []route.Call
	answer func(context.Context, route.Call, listParams) (route.Data[string], error)
}

func (h *handler) serve(ctx context.Context, c route.Call, p listParams) (route.Data[string], error) {
	h.mu.Lock()
	h.calls = append(h.calls, c)
	h.mu.Unlock()
	if h.answer != nil {
		return h.answer(ctx, c, p)
	}
	return route.Data[string]{Data: fmt.Sprintf("%s <&> %s", p.Sort, p.Page)}, nil
}

func (h *handler) called() []route.Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls
}

// block has a caller's failures refuse it, and exhaustRate the key's rate.
func (w *world) block(caller string) {
	for range limits.FailureLimit {
		w.Failures.Count(caller, w.Time)
	}
}

func (w *world) exhaustRate() {
	for range limits.RateLimit {
		w.Rates.Take(pipelinetest.KeyID, w.Time)
	}
}

// sign gives a valid GET.
func (w *world) sign(path, query, nonce string) pipeline.Request {
	return signAt(w.Time, "GET", path, query, nonce)
}

func signAt(at time.Time, method, path, query, nonce string) pipeline.Request {
	return pipeline.Request{
		Method: method, Path: path, Query: query, SourceIP: pipelinetest.Caller,
		Headers: pipelinetest.Sign(at, method, path, query, nonce),
	}
}

// get answers a valid GET without a query.
func (w *world) get(t testing.TB) pipeline.Response {
	t.Helper()
	return w.Serve(t.Context(), w.sign(listPath, "", "n"))
}

// line is the one line of the log.
func (w *world) line(t testing.TB) accesslog.Line {
	t.Helper()
	text := w.Log.String()
	if strings.Count(text, "\n") != 1 {
		t.Fatalf("not one line: %q", text)
	}
	l, err := accesslog.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return l
}

func header(r pipeline.Response, name string) string {
	for _, h := range r.Headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// headers fails the test where a name is there twice.
func headers(t testing.TB, r pipeline.Response) map[string]string {
	t.Helper()
	m := map[string]string{}
	for _, h := range r.Headers {
		m[h.Name] = h.Value
	}
	if len(m) != len(r.Headers) {
		t.Errorf("%d names, %d headers", len(m), len(r.Headers))
	}
	return m
}

func document(t testing.TB, r pipeline.Response) problem.Body {
	t.Helper()
	var d problem.Document
	if err := json.Unmarshal(r.Body, &d); err != nil {
		t.Fatalf("%d %q: %v", r.Status, r.Body, err)
	}
	return d.Error
}

var errDown = errors.New("connection refused by secret-host:8000")
