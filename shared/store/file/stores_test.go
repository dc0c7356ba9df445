package file

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/sport"
)

// nonce is one that requests have in common.
func nonce(requestID string) limits.Nonce {
	return limits.Nonce{KeyID: "tk_one", Value: "a-nonce", RequestID: requestID, Timestamp: time.Now()}
}

// The contract of the three stores has its suites where their interfaces are; here is
// that an answer is the same through a socket.
func TestTheStoresAnswerInBothWays(t *testing.T) {
	ways(t, func(t *testing.T, d *Database) {
		for i, want := range []error{nil, limits.ErrReplayed} {
			err := d.Nonces().Consume(t.Context(), nonce(string(rune('a'+i))))
			if replayed, _ := errors.AsType[*limits.ReplayedError](err); !errors.Is(err, want) || want != nil && replayed.RequestID != "a" {
				t.Errorf("nonce %d: %v, want %v", i, err, want)
			}
			if err := d.Keys().Put(t.Context(), keys.Key{ID: "tk_one"}); (err == nil) != (want == nil) || err != nil && !errors.Is(err, keys.ErrConflict) {
				t.Errorf("key %d: %v", i, err)
			}
			q := limits.Quota{Organization: "o", Limit: 1, Now: time.Now()}
			if got, err := d.Quotas().Take(t.Context(), q); err != nil || got.Allowed != (i == 0) {
				t.Errorf("request %d: %+v, %v", i, got, err)
			}
		}
		if _, err := d.Keys().Get(t.Context(), "tk_none"); !errors.Is(err, keys.ErrUnknown) {
			t.Errorf("%v, want ErrUnknown", err)
		}
	})
}

func TestUsageIsOfOneMonth(t *testing.T) {
	ways(t, func(t *testing.T, d *Database) {
		now := time.Date(2026, 1, 16, 18, 0, 0, 0, time.UTC)
		for _, q := range []limits.Quota{
			{Organization: "one", Now: now}, {Organization: "one", Now: now},
			{Organization: "two", Now: now}, {Organization: "two", Now: now.AddDate(0, 1, 0)},
		} {
			q.Limit = 9
			if _, err := d.Quotas().Take(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		}
		used, err := d.Usage(t.Context(), now)
		if diff := cmp.Diff(map[sport.ID]int{"one": 2, "two": 1}, used); diff != "" || err != nil {
			t.Errorf("%v %s", err, diff)
		}
	})
}
