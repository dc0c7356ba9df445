package meter_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/meter"
)

func TestWhatIsAskedUnderTheContextIsAddedUp(t *testing.T) {
	now := time.Unix(0, 0)
	s := &meter.Meter{Now: func() time.Time { return now }}
	ctx := meter.With(t.Context(), s)
	first := meter.Begin(ctx, meter.Quotas)
	now = now.Add(time.Second)
	meter.Units(ctx, meter.Quotas, 0, 1)
	first.End(2)
	meter.Hit(ctx, meter.Keys, 1)
	want := meter.Use{Trips: 2, WriteUnits: 1, Took: time.Second}
	if diff := cmp.Diff(want, s.Uses()[meter.Quotas]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(meter.Use{Hits: 1}, s.Uses()[meter.Keys]); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutARequestNothingIsAddedUp(t *testing.T) {
	call := meter.Begin(context.Background(), meter.Keys)
	meter.Units(context.Background(), meter.Keys, 1, 1)
	meter.Hit(context.Background(), meter.Keys, 1)
	call.End(1) // as nobody listens, there is nothing but that it returns
}

func TestCallsSideBySideAreNoRace(t *testing.T) {
	s := &meter.Meter{Now: time.Now}
	ctx := meter.With(t.Context(), s)
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			call := meter.Begin(ctx, meter.Sports)
			meter.Units(ctx, meter.Sports, 0.5, 0)
			call.End(1)
			s.Uses()
		})
	}
	wait.Wait()
	if got := s.Uses()[meter.Sports]; got.Trips != 50 || got.ReadUnits != 25 {
		t.Errorf("%+v", got)
	}
}

func TestEveryStoreHasAName(t *testing.T) {
	names := map[string]bool{}
	for _, s := range meter.Stores() {
		names[s.String()] = true
	}
	if len(names) != len(meter.Stores()) || names[""] {
		t.Errorf("%v", names)
	}
}
