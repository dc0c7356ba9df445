package dynamo_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"touchline/shared/limits"
	"touchline/shared/limits/dynamo"
	"touchline/shared/simulation"
)

func TestNoncesHoldTheContract(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T, limits.NonceStore)
	}{
		{"the first use is taken, every other request's is a replay", nonceOnce},
		{"the same request may ask again", nonceRepeated},
		{"a request without an id recognizes nothing", nonceAnonymous},
		{"nonces differ by key, value and case", nonceDistinct},
		{"a record refuses although it has expired", nonceExpired},
		{"of 50 at once one succeeds", nonceConcurrent},
		{"a request that is given up is not taken for a replay", nonceCancelled},
	} {
		t.Run("memory/"+c.name, func(t *testing.T) { c.test(t, simulation.NewDatabase()) })
		t.Run("file/"+c.name, func(t *testing.T) { c.test(t, onFile(t).Nonces()) })
		t.Run("DynamoDB/"+c.name, func(t *testing.T) { c.test(t, &dynamo.Nonces{Client: open(t), Table: noncesTable}) })
	}
}

func consume(t *testing.T, s limits.NonceStore, n limits.Nonce, want error) {
	t.Helper()
	if err := s.Consume(t.Context(), n); !errors.Is(err, want) {
		t.Errorf("Consume(%+v) = %v, want %v", n, err, want)
	}
}

func nonceOnce(t *testing.T, s limits.NonceStore) {
	consume(t, s, nonce("first"), nil)
	consume(t, s, nonce("second"), limits.ErrReplayed)
	consume(t, s, nonce("third"), limits.ErrReplayed)
	err := s.Consume(t.Context(), nonce("fourth"))
	if by, ok := errors.AsType[*limits.ReplayedError](err); !ok || by.RequestID != nonce("first").RequestID {
		t.Errorf("%v: should name the request that used the nonce", err)
	}
}

func nonceRepeated(t *testing.T, s limits.NonceStore) {
	consume(t, s, nonce("first"), nil)
	consume(t, s, nonce("first"), nil)
	consume(t, s, nonce("second"), limits.ErrReplayed)
	consume(t, s, nonce("first"), nil)
}

func nonceAnonymous(t *testing.T, s limits.NonceStore) {
	consume(t, s, nonce(""), nil)
	consume(t, s, nonce(""), limits.ErrReplayed)
}

func nonceDistinct(t *testing.T, s limits.NonceStore) {
	all := []struct{ keyID, value string }{
		{"a", "bc"}, {"ab", "c"}, {"abc", "d"}, {"a", "Bc"}, {"A", "bc"},
		{"a-", "b"}, {"a", "-b"}, {"a_", "b"}, {"a", "_b"}, {"a", "b~"}, {"a", "b."},
	}
	for i, n := range all {
		consume(t, s, limits.Nonce{KeyID: n.keyID, Value: n.value, RequestID: strconv.Itoa(i), Timestamp: time.Now()}, nil)
	}
	for _, n := range all {
		consume(t, s, limits.Nonce{KeyID: n.keyID, Value: n.value, RequestID: "again", Timestamp: time.Now()}, limits.ErrReplayed)
	}
}

// A database drops expired records late; until then they count (D31).
func nonceExpired(t *testing.T, s limits.NonceStore) {
	n := nonce("first")
	n.Timestamp = time.Unix(1_700_000_000, 0)
	consume(t, s, n, nil)
	n.RequestID = "second"
	consume(t, s, n, limits.ErrReplayed)
}

func nonceConcurrent(t *testing.T, s limits.NonceStore) {
	var taken, replayed atomic.Int64
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			switch err := s.Consume(t.Context(), nonce(strconv.Itoa(i))); {
			case err == nil:
				taken.Add(1)
			case errors.Is(err, limits.ErrReplayed):
				replayed.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if taken.Load() != 1 || replayed.Load() != 49 {
		t.Errorf("%d taken and %d replayed, want 1 and 49", taken.Load(), replayed.Load())
	}
}

func nonceCancelled(t *testing.T, s limits.NonceStore) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Consume(ctx, nonce("first")); !errors.Is(err, context.Canceled) || errors.Is(err, limits.ErrReplayed) {
		t.Errorf("Consume = %v, want context.Canceled", err)
	}
	consume(t, s, nonce("second"), nil)
}
