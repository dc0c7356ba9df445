package dynamo_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/limits"
	"touchline/shared/limits/dynamo"
	"touchline/shared/simulation"
	"touchline/shared/sport"
)

const (
	organization = sport.ID("64b7f0c2a1d3e4f5a6b7c8d9")
	other        = sport.ID("64b7f0c2a1d3e4f5a6b7c8da")
)

func TestQuotasHoldTheContract(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T, limits.QuotaStore)
	}{
		{"the limit is allowed and not one more", quotaExact},
		{"keys of one organization share a counter, each with its own bound", quotaOwnBound},
		{"organizations are counted apart", quotaOrganizations},
		{"the month is the UTC calendar month", quotaMonths},
		{"a limit of nothing refuses all", quotaNothing},
		{"of 200 at once 100 are allowed, and 100 counted", quotaConcurrent},
		{"a request that is given up is an error", quotaCancelled},
	} {
		t.Run("memory/"+c.name, func(t *testing.T) { c.test(t, simulation.NewDatabase()) })
		t.Run("file/"+c.name, func(t *testing.T) { c.test(t, onFile(t).Quotas()) })
		t.Run("DynamoDB/"+c.name, func(t *testing.T) { c.test(t, &dynamo.Quotas{Client: open(t), Table: quotasTable}) })
	}
}

// midMonth is 15 days and 6 hours, 1,317,600 s, from the month's end.
func midMonth() time.Time {
	return time.Date(2026, 1, 16, 18, 0, 0, 0, time.UTC)
}

func decided(t *testing.T, s limits.QuotaStore, q limits.Quota) limits.Decision {
	t.Helper()
	d, err := s.Take(t.Context(), q)
	if err != nil {
		t.Fatalf("Take(%+v): %v", q, err)
	}
	return d
}

// counted gives how many requests the store has counted, and counts one more.
func counted(t *testing.T, s limits.QuotaStore, q limits.Quota) int {
	t.Helper()
	const ample = 1_000_000
	q.Limit = ample
	return ample - decided(t, s, q).Remaining - 1
}

func quotaExact(t *testing.T, s limits.QuotaStore) {
	q := limits.Quota{Organization: organization, Limit: 3, Now: midMonth()}
	end := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	for _, want := range []limits.Decision{
		{Allowed: true, Limit: 3, Remaining: 2, ResetAt: end},
		{Allowed: true, Limit: 3, Remaining: 1, ResetAt: end},
		{Allowed: true, Limit: 3, Remaining: 0, ResetAt: end},
		{Allowed: false, Limit: 3, Remaining: 0, ResetAt: end, RetryAfter: 1_317_600},
		{Allowed: false, Limit: 3, Remaining: 0, ResetAt: end, RetryAfter: 1_317_600},
	} {
		if diff := cmp.Diff(want, decided(t, s, q)); diff != "" {
			t.Error(diff)
		}
	}
	if got := counted(t, s, q); got != 3 {
		t.Errorf("%d counted, want 3: who is refused is not", got)
	}
}

func quotaOwnBound(t *testing.T, s limits.QuotaStore) {
	narrow := limits.Quota{Organization: organization, Limit: 2, Now: midMonth()}
	wide := limits.Quota{Organization: organization, Limit: 4, Now: midMonth()}
	for i, step := range []struct {
		quota     limits.Quota
		allowed   bool
		remaining int
	}{
		{wide, true, 3},
		{narrow, true, 0},
		{narrow, false, 0},
		{wide, true, 1},
		{narrow, false, 0},
		{wide, true, 0},
		{wide, false, 0},
	} {
		if d := decided(t, s, step.quota); d.Allowed != step.allowed || d.Remaining != step.remaining {
			t.Errorf("step %d: %+v, want allowed %v and %d remaining", i, d, step.allowed, step.remaining)
		}
	}
}

func quotaOrganizations(t *testing.T, s limits.QuotaStore) {
	for _, id := range []sport.ID{organization, other} {
		if d := decided(t, s, limits.Quota{Organization: id, Limit: 1, Now: midMonth()}); !d.Allowed {
			t.Errorf("%s: %+v, want allowed", id, d)
		}
	}
}

func quotaMonths(t *testing.T, s limits.QuotaStore) {
	west := time.FixedZone("west", -5*60*60)
	for _, step := range []struct {
		name    string
		now     time.Time
		allowed bool
	}{
		{"the last moment of January", time.Date(2026, 1, 31, 23, 59, 59, 999_999_999, time.UTC), true},
		{"January in UTC is used up, whatever the zone", time.Date(2026, 1, 31, 18, 0, 0, 0, west), false},
		{"the first moment of February", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), true},
		{"still January in the west, and February in UTC", time.Date(2026, 1, 31, 23, 0, 0, 0, west), false},
		{"February of another year", time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC), true},
	} {
		if d := decided(t, s, limits.Quota{Organization: organization, Limit: 1, Now: step.now}); d.Allowed != step.allowed {
			t.Errorf("%s: %+v, want allowed %v", step.name, d, step.allowed)
		}
	}
}

func quotaNothing(t *testing.T, s limits.QuotaStore) {
	for _, limit := range []int{0, -1} {
		q := limits.Quota{Organization: organization, Limit: limit, Now: midMonth()}
		if d := decided(t, s, q); d.Allowed || d.Remaining != 0 || d.RetryAfter != 1_317_600 {
			t.Errorf("limit %d: %+v, want refused until the month's end", limit, d)
		}
	}
	if got := counted(t, s, limits.Quota{Organization: organization, Now: midMonth()}); got != 0 {
		t.Errorf("%d counted, want 0", got)
	}
}

func quotaConcurrent(t *testing.T, s limits.QuotaStore) {
	q := limits.Quota{Organization: organization, Limit: 100, Now: midMonth()}
	var allowed atomic.Int64
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			d, err := s.Take(t.Context(), q)
			if err != nil {
				t.Error(err)
			}
			if d.Allowed {
				allowed.Add(1)
			}
		})
	}
	all.Wait()
	if got := allowed.Load(); got != 100 {
		t.Errorf("%d allowed, want 100", got)
	}
	if got := counted(t, s, q); got != 100 {
		t.Errorf("%d counted, want 100", got)
	}
}

func quotaCancelled(t *testing.T, s limits.QuotaStore) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := limits.Quota{Organization: organization, Limit: 5, Now: midMonth()}
	if d, err := s.Take(ctx, q); !errors.Is(err, context.Canceled) || d.Allowed {
		t.Errorf("Take = %+v, %v; want context.Canceled", d, err)
	}
}
