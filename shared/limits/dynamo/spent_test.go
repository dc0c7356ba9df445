package dynamo_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"touchline/shared/limits"
	"touchline/shared/limits/dynamo"
	"touchline/shared/meter"
)

func TestARequestPaysOneUnitForItsNonceAndOneForItsQuota(t *testing.T) {
	db := open(t)
	nonces, quotas := &dynamo.Nonces{Client: db, Table: noncesTable}, &dynamo.Quotas{Client: db, Table: quotasTable}
	spent := &meter.Meter{Now: time.Now}
	ctx := meter.With(t.Context(), spent)
	if err := nonces.Consume(ctx, nonce("first")); err != nil {
		t.Fatal(err)
	}
	if _, err := quotas.Take(ctx, limits.Quota{Organization: "64b7f0c2a1d3e4f5a6b7c8d9", Limit: 1, Now: time.Now()}); err != nil {
		t.Fatal(err)
	}
	want := meter.Use{Trips: 1, WriteUnits: 1}
	for _, store := range []meter.Store{meter.Nonces, meter.Quotas} {
		if diff := cmp.Diff(want, spent.Uses()[store], cmpopts.IgnoreFields(meter.Use{}, "Took")); diff != "" {
			t.Errorf("%s: %s", store, diff)
		}
	}
}

func TestACallThatFailsHasEnded(t *testing.T) {
	db := open(t)
	spent := &meter.Meter{Now: time.Now}
	ctx := meter.With(t.Context(), spent)
	if err := (&dynamo.Nonces{Client: db, Table: "nowhere"}).Consume(ctx, nonce("first")); err == nil || errors.Is(err, limits.ErrReplayed) {
		t.Fatal(err)
	}
	if _, err := (&dynamo.Quotas{Client: db, Table: "nowhere"}).Take(ctx, limits.Quota{Organization: "o", Limit: 1, Now: time.Now()}); err == nil {
		t.Fatal("counted nowhere")
	}
	for _, store := range []meter.Store{meter.Nonces, meter.Quotas} {
		if use := spent.Uses()[store]; use.Trips != 1 || use.Open != 0 || use.WriteUnits != 0 {
			t.Errorf("%s: %+v", store, use)
		}
	}
}
