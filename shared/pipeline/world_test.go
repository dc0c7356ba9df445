package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/pipeline"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/signing"
	"touchline/shared/sport"
)

const (
	organization = sport.ID("64b7f0c2a1d3e4f5a6b7c8d9")
	keyID        = "tk_test"
	secret       = "b0y0mAeJ3pS7gHkq2v5x8z-BdEhKnQrTuWxZ_aC4FgI"
	caller       = "192.0.2.7"
	listPath     = "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/players"
)

// world is a service of one operation with everything in memory, and counters
// of what happened to it.
type world struct {
	*pipeline.Pipeline
	now      time.Time
	records  *keys.Memory
	standing *organizations
	nonces   *nonceStore
	quotas   *quotaStore
	handler  *handler
	logged   *bytes.Buffer
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
		now:      time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC),
		records:  &keys.Memory{},
		standing: &organizations{active: true, pro: true},
		nonces:   &nonceStore{},
		quotas:   &quotaStore{},
		handler:  &handler{},
		logged:   &bytes.Buffer{},
	}
	clock := func() time.Time { return w.now }
	operation := route.Define(route.Row{
		Group: route.GroupOrganizations, Path: "/v1/{alias}/{id}/players",
		Scopes: []keys.Scope{keys.PlayersRead}, Window: true,
	}, w.handler.serve)
	requests := new(atomic.Int64)
	w.Pipeline = &pipeline.Pipeline{
		Routes:        route.NewTable(operation),
		Credentials:   &keys.Cache{Records: w.records, Opener: plain{}, Now: clock},
		Organizations: w.standing,
		Nonces:        w.nonces,
		Quotas:        w.quotas,
		Failures: &limits.Failures{Windows: &limits.Windows[netip.Prefix]{
			Limit: limits.FailureLimit, Length: limits.WindowLength,
		}},
		Rates:        &limits.Windows[string]{Limit: limits.RateLimit, Length: limits.WindowLength},
		Now:          clock,
		NewRequestID: func() string { return fmt.Sprintf("request-%d", requests.Add(1)) },
		Log:          slog.New(slog.NewJSONHandler(w.logged, nil)),
		Timeout:      time.Minute,
	}
	w.setKey(t, func(*keys.Key) {})
	return w
}

// setKey stores the one key, changed by edit.
func (w *world) setKey(t testing.TB, edit func(*keys.Key)) {
	t.Helper()
	stored, err := w.records.Get(t.Context(), keyID)
	if errors.Is(err, keys.ErrUnknown) {
		stored = keys.Key{
			ID: keyID, Organization: organization, ResourceType: keys.ResourceOrganization,
			Scopes: []keys.Scope{keys.PlayersRead}, Descendants: true,
			Current: keys.SealedSecret{ID: "1", Sealed: []byte(secret)},
		}
	}
	edit(&stored)
	if err := w.records.Put(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
}

// plain opens what was never sealed.
type plain struct{}

func (plain) Open(_ context.Context, _ string, sealed []byte) ([]byte, error) { return sealed, nil }

type organizations struct {
	active, pro bool
	err         error
	panics      bool
	asked       atomic.Int64
}

func (o *organizations) Standing(context.Context, sport.ID) (active, pro bool, err error) {
	o.asked.Add(1)
	if o.panics {
		panic("standing")
	}
	return o.active, o.pro, o.err
}

// nonceStore counts what is consumed; before runs first.
type nonceStore struct {
	limits.MemoryNonces
	before   func(context.Context) error
	consumed atomic.Int64
}

func (s *nonceStore) Consume(ctx context.Context, n limits.Nonce) error {
	if s.before != nil {
		if err := s.before(ctx); err != nil {
			return err
		}
	}
	err := s.MemoryNonces.Consume(ctx, n)
	if err == nil {
		s.consumed.Add(1)
	}
	return err
}

// quotaStore counts what is taken; before runs first.
type quotaStore struct {
	limits.MemoryQuotas
	before func(context.Context) error
	taken  atomic.Int64
}

func (s *quotaStore) Take(ctx context.Context, q limits.Quota) (limits.Decision, error) {
	if s.before != nil {
		if err := s.before(ctx); err != nil {
			return limits.Decision{}, err
		}
	}
	d, err := s.MemoryQuotas.Take(ctx, q)
	if err == nil && d.Allowed {
		s.taken.Add(1)
	}
	return d, err
}

// handler answers with its call unless it is told otherwise.
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
	return route.Data[string]{Data: fmt.Sprintf("%s <&> %d", p.Sort, p.Page)}, nil
}

func (h *handler) called() []route.Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls
}

// sign gives a valid request for target.
func (w *world) sign(method, path, query, nonce string) pipeline.Request {
	return signAs(secret, w.now, method, path, query, nonce)
}

func signAs(secret string, at time.Time, method, path, query, nonce string) pipeline.Request {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	signature := "0000000000000000000000000000000000000000000000000000000000000000"
	canonical, err := signing.Message{Method: method, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce}.Canonical()
	if err == nil { // a malformed escape has no signature
		signature = signing.Sign(secret, canonical)
	}
	return pipeline.Request{
		Method: method, Path: path, Query: query, SourceIP: caller,
		Headers: pipeline.Headers{
			"x-service-key": keyID, "x-service-timestamp": timestamp,
			"x-service-nonce": nonce, "x-service-signature": signature,
		},
	}
}

func (w *world) get(t testing.TB, query, nonce string) pipeline.Response {
	t.Helper()
	return w.Answer(t.Context(), w.sign("GET", listPath, query, nonce))
}

func header(r pipeline.Response, name string) string {
	for _, h := range r.Headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

func headers(r pipeline.Response) map[string]string {
	m := map[string]string{}
	for _, h := range r.Headers {
		m[h.Name] = h.Value
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
