package dynamo_test

import (
	"fmt"
	"testing"
	"time"

	"touchline/shared/limits"
	"touchline/shared/limits/dynamo"
)

func TestASweepDeletesWhatHasExpired(t *testing.T) {
	db := open(t)
	nonces := dynamo.Nonces{Client: db.Client, Table: noncesTable}
	begin := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	consume := func(i int, at time.Time) {
		t.Helper()
		if err := nonces.Consume(t.Context(), limits.Nonce{KeyID: "k", Value: fmt.Sprint(i), RequestID: fmt.Sprint("r", i), Timestamp: at}); err != nil {
			t.Fatal(err)
		}
	}
	const old, young = 60, 3 // more than a batch
	for i := range old {
		consume(i, begin)
	}
	for i := range young {
		consume(old+i, begin.Add(time.Hour))
	}
	if n, err := dynamo.Sweep(t.Context(), db.Client, noncesTable, begin.Add(5*time.Minute)); err != nil || n != 0 {
		t.Errorf("deleted %d that had not expired, %v", n, err)
	}
	if n, err := dynamo.Sweep(t.Context(), db.Client, noncesTable, begin.Add(time.Hour)); err != nil || n != old {
		t.Errorf("deleted %d, %v", n, err)
	}
	if left := db.items(t, noncesTable); len(left) != young {
		t.Errorf("%d left", len(left))
	}
}
