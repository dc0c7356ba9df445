package pipeline_test

import (
	"context"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/pipeline"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/route"
	"touchline/shared/store/generation"
)

// maxAllocations is design.md's bound for a GET with 3 query parameters,
// verification and the line of the log included, without I/O.
const maxAllocations = 45

// worker prepares for n requests, whose handler costs nothing.
func worker(tb testing.TB, n int) (*world, []pipeline.Request) {
	w := newWorld(tb)
	w.NewRequestID = uuid.NewString
	w.Data = &data{state: &generation.State{Version: 17, Ended: w.Time.Add(-time.Hour)}}
	w.Pipeline.Log = &accesslog.Log{
		Lines: sink{}, Function: "touchline-prod-organizations", Stage: "prod", Metrics: true,
	}
	w.handler.answer = func(context.Context, route.Call, listParams) (route.Data[string], error) {
		return route.Data[string]{Data: "x"}, nil
	}
	w.SetKey(tb, func(k *keys.Key) { many := math.MaxInt; k.MonthlyQuota = &many })
	w.Nonces, w.Quotas = generous{}, generous{}
	requests := make([]pipeline.Request, n)
	for i := range requests {
		requests[i] = w.sign(listPath, "limit=10&page=2&sort=-name", "nonce-"+strconv.Itoa(i))
	}
	return w, requests
}

// generous stores allow everything, and allocate nothing.
type generous struct{}

func (generous) Consume(context.Context, limits.Nonce) error { return nil }

func (generous) Take(_ context.Context, q limits.Quota) (limits.Decision, error) {
	return q.Allow(1), nil
}

// The fewest of many: under the race detector a sync.Pool forgets at random.
func TestAnAnswerAllocatesLittle(t *testing.T) {
	const samples = 200
	w, requests := worker(t, 2*samples) // AllocsPerRun warms up once
	fewest, i := math.Inf(1), 0
	for range samples {
		w.Rates = &limits.Windows[string]{Limit: limits.RateLimit, Length: limits.WindowLength}
		fewest = min(fewest, testing.AllocsPerRun(1, func() {
			if r := w.Serve(t.Context(), requests[i]); r.Status != 200 {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			w.handler.calls = w.handler.calls[:0]
			i++
		}))
	}
	t.Logf("%v allocations", fewest)
	if fewest > maxAllocations {
		t.Errorf("%v allocations, at most %d are allowed", fewest, maxAllocations)
	}
}

// Work shows in allocations, which time does not decide.
func TestAnUnknownKeyCostsWhatAWrongSignatureDoes(t *testing.T) {
	cost := func(arm func(*testing.T, *attempt)) float64 {
		a := newAttempt(t)
		arm(t, a)
		known, err := a.Credentials.Lookup(t.Context(), pipelinetest.KeyID)
		if err != nil {
			t.Fatal(err)
		}
		a.Credentials = credentials{pipelinetest.KeyID: known}
		a.Failures = limits.NewFailures(math.MaxInt32, limits.WindowLength)
		request := a.request()
		return testing.AllocsPerRun(100, func() {
			if r := a.Serve(t.Context(), request); r.Status != 401 {
				t.Fatal(r.Status)
			}
		})
	}
	const noise = 2 // of the runtime's own
	costs := map[string]float64{}
	malformed := math.Inf(1)
	for _, f := range faults() {
		switch {
		case f.step == 7:
			malformed = min(malformed, cost(f.arm))
		case f.step >= 8 && f.step <= 10 && f.status == 401:
			costs[f.String()] = cost(f.arm)
		}
	}
	want := costs["10 another signature"]
	if want-malformed < 3*noise {
		t.Fatalf("a verification is too cheap to be seen: %v allocations, a malformed header has %v", want, malformed)
	}
	for name, got := range costs {
		if math.Abs(got-want) > noise {
			t.Errorf("%s: %v allocations, a wrong signature has %v", name, got, want)
		}
	}
}

// credentials are looked up without any work.
type credentials map[string]*keys.Credential

func (c credentials) Lookup(_ context.Context, id string) (*keys.Credential, error) {
	if known, ok := c[id]; ok {
		return known, nil
	}
	return nil, keys.ErrUnknown
}

// sink takes what is written, as standard output does, and keeps nothing.
type sink struct{}

func (sink) Write(p []byte) (int, error) { return len(p), nil }
