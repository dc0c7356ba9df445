// Package pipelinetest makes a pipeline with everything in memory, a clock that
// does not move and one key, and signs requests for it. For tests only.
package pipelinetest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/pipeline"
	"touchline/shared/route"
	"touchline/shared/signing"
	"touchline/shared/simulation"
	"touchline/shared/sport"
)

// The one key, its organization, and the address from which it is used.
const (
	KeyID        = "tk_test"
	Secret       = "b0y0mAeJ3pS7gHkq2v5x8z-BdEhKnQrTuWxZ_aC4FgI" //nolint:gosec // of no other service
	Organization = sport.ID("64b7f0c2a1d3e4f5a6b7c8d9")
	Caller       = "192.0.2.7"
)

// Service is a pipeline and what is behind it.
type Service struct {
	*pipeline.Pipeline
	Time time.Time // of the clock
	Keys keys.Store
	Log  *Log
}

// New makes a service of operations. Its key holds every scope and the
// descendants option; its organization is active with plan pro. Request ids are
// request-1, request-2 and so on.
func New(t testing.TB, operations ...route.Operation) *Service {
	t.Helper()
	kept := simulation.NewDatabase()
	s := &Service{Time: time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC), Keys: kept.Keys(), Log: &Log{}}
	clock := func() time.Time { return s.Time }
	requests := new(atomic.Int64)
	s.Pipeline = &pipeline.Pipeline{
		Routes:        route.NewTable(operations...),
		Credentials:   &keys.Cache{Records: s.Keys, Opener: unsealed{}, Now: clock},
		Organizations: Standing{Active: true, Pro: true},
		Nonces:        kept,
		Quotas:        kept,
		Spent:         limits.Windows[sport.ID]{Limit: 1, Length: limits.WindowLength},
		Failures:      limits.NewFailures(limits.FailureLimit, limits.WindowLength),
		Rates:         &limits.Windows[string]{Limit: limits.RateLimit, Length: limits.WindowLength},
		Now:           clock,
		NewRequestID:  func() string { return fmt.Sprintf("request-%d", requests.Add(1)) },
		Log:           &accesslog.Log{Lines: s.Log, Function: "test", Stage: "local"},
		Timeout:       time.Minute,
	}
	s.SetKey(t, func(*keys.Key) {})
	return s
}

// SetKey changes the record of the key by edit. The pipeline sees it where it
// has not read the key yet.
func (s *Service) SetKey(t testing.TB, edit func(*keys.Key)) {
	t.Helper()
	stored, err := s.Keys.Get(t.Context(), KeyID)
	if errors.Is(err, keys.ErrUnknown) {
		stored = keys.Key{
			ID: KeyID, Organization: Organization, ResourceType: keys.ResourceOrganization,
			Scopes: keys.AllScopes(), Descendants: true,
			Current: keys.SealedSecret{ID: "1", Sealed: []byte(Secret)},
		}
	}
	edit(&stored)
	if err := s.Keys.Put(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
}

// Sign gives the four headers of a request at a time. A query or path with a
// malformed escape has no signature: its header is of the right form only.
func Sign(at time.Time, method, path, query, nonce string) http.Header {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	canonical, err := signing.Message{Method: method, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce}.Canonical()
	if err != nil {
		canonical = ""
	}
	return http.Header{
		signing.HeaderKey: {KeyID}, signing.HeaderTimestamp: {timestamp},
		signing.HeaderNonce: {nonce}, signing.HeaderSignature: {signing.Sign(Secret, canonical)},
	}
}

// Standing returns the same for every organization.
type Standing struct {
	Active, Pro bool
	Err         error
}

// Standing implements pipeline.Organizations.
func (s Standing) Standing(context.Context, sport.ID) (active, pro bool, err error) {
	return s.Active, s.Pro, s.Err
}

// unsealed opens what was never sealed.
type unsealed struct{}

func (unsealed) Open(_ context.Context, _ string, sealed []byte) ([]byte, error) { return sealed, nil }

// Log keeps what is logged.
type Log struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	return len(p), nil
}

// String gives all that was logged.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}
