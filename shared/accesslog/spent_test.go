package accesslog_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/accesslog"
)

func TestWhatIsAskedUnderTheContextIsAddedUp(t *testing.T) {
	now := time.Unix(0, 0)
	s := &accesslog.Spent{Now: func() time.Time { return now }}
	ctx := accesslog.With(t.Context(), s)
	first := accesslog.Begin(ctx, accesslog.Quotas)
	now = now.Add(time.Second)
	accesslog.Units(ctx, accesslog.Quotas, 0, 1)
	first.End(2)
	accesslog.Begin(ctx, accesslog.Quotas)
	accesslog.Hit(ctx, accesslog.Keys, 1)
	want := accesslog.Use{Calls: 2, Open: 1, WriteUnits: 1, Took: time.Second}
	if diff := cmp.Diff(want, s.Uses()[accesslog.Quotas]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(accesslog.Use{Hits: 1}, s.Uses()[accesslog.Keys]); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutARequestNothingIsAddedUp(t *testing.T) {
	call := accesslog.Begin(context.Background(), accesslog.Keys)
	accesslog.Units(context.Background(), accesslog.Keys, 1, 1)
	accesslog.Hit(context.Background(), accesslog.Keys, 1)
	call.End(1) // as nobody listens, there is nothing but that it returns
}

func TestCallsSideBySideAreNoRace(t *testing.T) {
	s := &accesslog.Spent{Now: time.Now}
	ctx := accesslog.With(t.Context(), s)
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			call := accesslog.Begin(ctx, accesslog.Sports)
			accesslog.Units(ctx, accesslog.Sports, 0.5, 0)
			call.End(1)
			s.Uses()
		})
	}
	wait.Wait()
	if got := s.Uses()[accesslog.Sports]; got.Calls != 50 || got.Open != 0 || got.ReadUnits != 25 {
		t.Errorf("%+v", got)
	}
}

func TestEveryStoreHasAName(t *testing.T) {
	names := map[string]bool{}
	for _, s := range accesslog.Stores() {
		names[s.String()] = true
	}
	if len(names) != len(accesslog.Stores()) || names[""] {
		t.Errorf("%v", names)
	}
}
