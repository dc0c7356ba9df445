package protocol

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"touchline/shared/keys"
	"touchline/shared/local"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/route"
)

// listen serves a service behind the local front door and returns its address.
func listen(t *testing.T, s *pipelinetest.Service) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &local.Server{Handler: s.Pipeline}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // do not wait for anybody
		_ = server.Shutdown(ctx)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

func newClient(address string, now func() time.Time) *client {
	return &client{base: address, now: now, key: credential{pipelinetest.KeyID, pipelinetest.Secret}}
}

func TestTheRealPipelineAcceptsWhatIsSigned(t *testing.T) {
	s := pipelinetest.New(t, route.Define(route.Row{Group: route.GroupTeams, Path: "/v1/teams/{id}"},
		func(_ context.Context, c route.Call, p route.TimeRange) (route.Data[string], error) {
			return route.Data[string]{Data: fmt.Sprint(c.ID, " ", p.From.At.Unix())}, nil
		}))
	address := listen(t, s)
	c := newClient(address, func() time.Time { return s.Time })
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r, err := c.send(t.Context(), method, "/v1/teams/a~b'()*!?from=2025-01-01T00%3a00&to=2026-01-01T00:00%2B01:00")
		if err != nil || r.status != 200 {
			t.Errorf("%s: %+v, %v", method, r, err)
		}
	}
	s.SetKey(t, func(k *keys.Key) { k.RevokedAt = new(s.Time.Add(-time.Hour)) })
	s.Time = s.Time.Add(time.Hour)
	if r, err := c.send(t.Context(), http.MethodGet, "/v1/teams/a"); err != nil || r.status != http.StatusUnauthorized {
		t.Errorf("a revoked key: %+v, %v", r, err)
	}
}
