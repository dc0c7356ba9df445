package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/pipeline"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/problem"
	"touchline/shared/route"
)

// signal is an event that is waited for, or that never comes before the
// request's own timeout.
type signal struct {
	once sync.Once
	c    chan struct{}
}

func newSignal() *signal { return &signal{c: make(chan struct{})} }

func (s *signal) set() { s.once.Do(func() { close(s.c) }) }

func (s *signal) wait(ctx context.Context) error {
	select {
	case <-s.c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestTheDataIsReadWhileNonceAndQuotaAreWritten(t *testing.T) {
	w := newWorld(t)
	reading, nonce, quota := newSignal(), newSignal(), newSignal()
	w.nonces.before = func(ctx context.Context) error { nonce.set(); return reading.wait(ctx) }
	w.quotas.before = func(context.Context) error { quota.set(); return nil }
	w.handler.answer = func(ctx context.Context, _ route.Call, _ listParams) (route.Data[string], error) {
		reading.set()
		return route.Data[string]{Data: "x"}, errors.Join(nonce.wait(ctx), quota.wait(ctx))
	}
	w.Spent.Take(pipelinetest.Organization, w.Time.Add(-time.Hour)) // which refuses nothing
	if r := w.get(t); r.Status != 200 || string(r.Body) != `{"data":"x"}` {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

func TestARefusalDoesNotWaitForTheDataAndEndsItsRead(t *testing.T) {
	// The handler answers only when its context ends, so an answer at all shows
	// that nobody waited for it.
	refusals := map[string]struct {
		arm  func(*testing.T, *attempt)
		code problem.Code
	}{
		"replay":         {func(t *testing.T, a *attempt) { a.spend(t) }, problem.Unauthorized},
		"no nonce store": {func(_ *testing.T, a *attempt) { a.nonces.before = down }, problem.ServiceUnavailable},
		"no quota store": {func(_ *testing.T, a *attempt) { a.quotas.before = down }, problem.ServiceUnavailable},
		"quota":          {func(t *testing.T, a *attempt) { a.SetKey(t, func(k *keys.Key) { k.MonthlyQuota = new(int) }) }, problem.QuotaExceeded},
		"rate, meanwhile": {func(_ *testing.T, a *attempt) {
			a.nonces.before = func(context.Context) error { a.exhaustRate(); return nil }
		}, problem.RateLimited},
	}
	for name, tt := range refusals {
		t.Run(name, func(t *testing.T) {
			a := newAttempt(t)
			tt.arm(t, a)
			a.Timeout = time.Hour
			reading, ended := newSignal(), newSignal()
			armed := a.nonces.before
			a.nonces.before = func(ctx context.Context) error {
				if err := reading.wait(ctx); err != nil || armed == nil {
					return err
				}
				return armed(ctx)
			}
			a.handler.answer = func(ctx context.Context, _ route.Call, _ listParams) (route.Data[string], error) {
				reading.set()
				<-ctx.Done()
				ended.set()
				return route.Data[string]{}, ctx.Err()
			}
			if got := document(t, a.Serve(t.Context(), a.request())).Code; got != tt.code {
				t.Errorf("%s", got)
			}
			<-ended.c
			if l := a.line(t); l.Code != string(tt.code) {
				t.Errorf("the line says %s", l.Code)
			}
		})
	}
}

func TestNoDataIsReadForWhatIsSureToBeRefused(t *testing.T) {
	tests := map[string]func(*testing.T, *attempt){
		"address":      func(t *testing.T, a *attempt) { a.SetKey(t, func(k *keys.Key) { k.Allowlist = []netip.Prefix{{}} }) },
		"scope":        func(t *testing.T, a *attempt) { a.SetKey(t, func(k *keys.Key) { k.Scopes = nil }) },
		"organization": func(_ *testing.T, a *attempt) { a.standing.active = false },
		"rate":         func(_ *testing.T, a *attempt) { a.exhaustRate() },
		"parameters":   func(_ *testing.T, a *attempt) { a.query = []string{"page=0"} },
		"descendants": func(t *testing.T, a *attempt) {
			a.query = []string{"includeDescendants=true"}
			a.SetKey(t, func(k *keys.Key) { k.Descendants = false })
		},
		"signature": func(_ *testing.T, a *attempt) { a.at = a.at.Add(-time.Hour) },
	}
	for name, arm := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAttempt(t)
				arm(t, a)
				if r := a.Serve(t.Context(), a.request()); r.Status == 200 {
					t.Errorf("%d", r.Status)
				}
				if n := a.reads(); n > 0 {
					t.Errorf("%d reads", n)
				}
			})
		})
	}
}

// reads is how many reads of data have begun, in a bubble of testing/synctest.
func (a *attempt) reads() int {
	synctest.Wait()
	return len(a.handler.called())
}

func TestNoDataIsReadAheadForAMinuteAfterAQuotaWasSpent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAttempt(t)
		a.SetKey(t, func(k *keys.Key) { one := 1; k.MonthlyQuota = &one })
		for i, step := range []struct {
			after         time.Duration
			status, reads int // so far
		}{
			{0, 200, 1},
			{time.Second, 429, 2}, // nobody knew
			{time.Second, 429, 2},
			{57 * time.Second, 429, 2},
			{3 * time.Second, 429, 3},
		} {
			a.Time = a.Time.Add(step.after)
			a.at, a.nonce = a.Time, fmt.Sprint("n", i)
			if r, n := a.Serve(t.Context(), a.request()), a.reads(); r.Status != step.status || n != step.reads {
				t.Errorf("request %d: %d after %d reads, want %d after %d", i, r.Status, n, step.status, step.reads)
			}
		}
	})
}

func TestARateThatOpensMeanwhileStillReadsTheData(t *testing.T) {
	w := newWorld(t)
	w.exhaustRate()
	w.nonces.before = func(context.Context) error {
		w.Rates.Limit++ // stands for a window that made room
		return nil
	}
	if r := w.get(t); r.Status != 200 || len(w.handler.called()) != 1 {
		t.Errorf("%d, %d reads", r.Status, len(w.handler.called()))
	}
}

func TestAHandlerThatDoesNotEndIsAnsweredFor(t *testing.T) {
	w := newWorld(t)
	ctx, timeIsUp := context.WithCancel(t.Context())
	counted, end := newSignal(), make(chan struct{})
	defer close(end)
	w.quotas.after = counted.set
	w.handler.answer = func(ctx context.Context, _ route.Call, _ listParams) (route.Data[string], error) {
		if err := counted.wait(ctx); err != nil {
			return route.Data[string]{}, err
		}
		timeIsUp()
		<-end
		return route.Data[string]{}, nil
	}
	r := w.Serve(ctx, w.sign(listPath, "", "n"))
	if code := document(t, r).Code; code != problem.InternalError || header(r, "X-RateLimit-Limit") == "" {
		t.Errorf("%s", code)
	}
}

func TestARequestHasADeadline(t *testing.T) {
	const deployed = 10 * time.Second // what Lambda gives a function
	if pipeline.DefaultTimeout > deployed-2*time.Second {
		t.Errorf("%v of %v", pipeline.DefaultTimeout, deployed)
	}
	for timeout, most := range map[time.Duration]time.Duration{0: pipeline.DefaultTimeout, time.Hour: time.Hour} {
		w := newWorld(t)
		w.Timeout = timeout
		var left time.Duration
		w.handler.answer = func(ctx context.Context, _ route.Call, _ listParams) (route.Data[string], error) {
			deadline, _ := ctx.Deadline()
			left = time.Until(deadline)
			return route.Data[string]{}, nil
		}
		if r := w.get(t); r.Status != 200 || left > most || left < most-pipeline.DefaultTimeout {
			t.Errorf("%v: %d, %v left", timeout, r.Status, left)
		}
	}
}

func TestAReplyThatIsNoJSONIsOurFault(t *testing.T) {
	w := newWorld(t)
	broken := route.Define(route.Row{Group: route.GroupPing, Path: "/v1/ping"},
		func(context.Context, route.Call, route.None) (route.Data[any], error) {
			return route.Data[any]{Data: func() {}}, nil
		})
	w.Routes = route.NewTable(broken)
	r := w.Serve(t.Context(), w.sign("/v1/ping", "", "n"))
	if l := w.line(t); document(t, r).Code != problem.InternalError || l.Cause == "" || l.Why != accesslog.Failed {
		t.Errorf("%d %s: %s, %s", r.Status, r.Body, l.Why, l.Cause)
	}
}

func TestOneNonceAtTheSameTimeServesOnce(t *testing.T) {
	w := newWorld(t)
	w.Failures = limits.NewFailures(1000, limits.WindowLength)
	var wg sync.WaitGroup
	var served, replayed atomic.Int64
	for i := range 50 {
		r := w.sign(listPath, "", fmt.Sprint("n", i/25))
		wg.Go(func() {
			switch w.Serve(t.Context(), r).Status {
			case 200:
				served.Add(1)
			case 401:
				replayed.Add(1)
			}
		})
	}
	wg.Wait()
	if served.Load() != 2 || replayed.Load() != 48 || w.quotas.taken.Load() != 2 {
		t.Errorf("%d served, %d replayed, quota %d", served.Load(), replayed.Load(), w.quotas.taken.Load())
	}
}
