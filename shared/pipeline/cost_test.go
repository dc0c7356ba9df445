package pipeline_test

import (
	"context"
	"math"
	"strconv"
	"testing"

	"github.com/google/uuid"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/pipeline"
	"touchline/shared/route"
)

// maxAllocations is design.md's bound for a GET with 3 query parameters,
// verification included, without I/O.
const maxAllocations = 40

// worker prepares for n requests, whose handler costs nothing.
func worker(tb testing.TB, n int) (*world, []pipeline.Request) {
	w := newWorld(tb)
	w.NewRequestID = uuid.NewString
	w.handler.answer = func(context.Context, route.Call, listParams) (route.Data[string], error) {
		return route.Data[string]{Data: "x"}, nil
	}
	w.SetKey(tb, func(k *keys.Key) { many := math.MaxInt; k.MonthlyQuota = &many })
	w.nonces.Entries = math.MaxInt
	requests := make([]pipeline.Request, n)
	for i := range requests {
		requests[i] = w.sign(listPath, "limit=10&page=2&sort=-name", "nonce-"+strconv.Itoa(i))
	}
	return w, requests
}

func TestAnAnswerAllocatesLittle(t *testing.T) {
	const runs = limits.RateLimit - 2 // AllocsPerRun warms up once
	w, requests := worker(t, runs+1)
	i := 0
	n := testing.AllocsPerRun(runs, func() {
		if r := w.Answer(t.Context(), requests[i]); r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		w.handler.calls = w.handler.calls[:0]
		i++
	})
	t.Logf("%v allocations", n)
	if n > maxAllocations {
		t.Errorf("%v allocations, at most %d are allowed", n, maxAllocations)
	}
}

func BenchmarkAnswer(b *testing.B) {
	w, requests := worker(b, b.N)
	w.Rates.Limit = math.MaxInt
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if r := w.Answer(b.Context(), requests[i]); r.Status != 200 {
			b.Fatalf("%d %s", r.Status, r.Body)
		}
		w.handler.calls = w.handler.calls[:0]
	}
}
