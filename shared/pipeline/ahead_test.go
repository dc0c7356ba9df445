package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
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
	if r := w.get(t); r.Status != 200 || string(r.Body) != `{"data":"x"}` {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

func TestTheQuotaIsWrittenAfterTheNonce(t *testing.T) {
	w := newWorld(t)
	var order []string
	w.nonces.before = func(context.Context) error { order = append(order, "nonce"); return nil }
	w.quotas.before = func(context.Context) error {
		if w.nonces.consumed.Load() != 1 {
			order = append(order, "early")
		}
		order = append(order, "quota")
		return nil
	}
	if r := w.get(t); r.Status != 200 || len(order) != 2 || order[0] != "nonce" || order[1] != "quota" {
		t.Errorf("%d %v", r.Status, order)
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
			ended := newSignal()
			a.handler.answer = func(ctx context.Context, _ route.Call, _ listParams) (route.Data[string], error) {
				<-ctx.Done()
				ended.set()
				return route.Data[string]{}, ctx.Err()
			}
			if got := document(t, a.Serve(t.Context(), a.request())).Code; got != tt.code {
				t.Errorf("%s", got)
			}
			if len(a.handler.called()) > 0 { // it may not have been scheduled at all
				if err := ended.wait(t.Context()); err != nil {
					t.Error("the read goes on")
				}
			}
			if l := a.line(t); l.Code != string(tt.code) || l.Dropped != "data" {
				t.Errorf("the line says %s, dropped %q", l.Code, l.Dropped)
			}
		})
	}
}

func (a *attempt) exhaustRate() {
	for range 60 {
		a.Rates.Take(pipelinetest.KeyID, a.Time)
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
			a := newAttempt(t)
			arm(t, a)
			if r := a.Serve(t.Context(), a.request()); r.Status == 200 {
				t.Errorf("%d", r.Status)
			}
			// A read that has begun may not have been scheduled yet.
			if n, l := len(a.handler.called()), lastLine(t, a); n > 0 || l.Dropped == "data" {
				t.Errorf("%d reads, dropped %q", n, l.Dropped)
			}
		})
	}
}

func lastLine(t *testing.T, a *attempt) accesslog.Line {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(a.Log.String()), "\n")
	l, err := accesslog.Parse([]byte(lines[len(lines)-1]))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestNoDataIsReadAheadForAMinuteAfterAQuotaWasSpent(t *testing.T) {
	a := newAttempt(t)
	a.SetKey(t, func(k *keys.Key) { one := 1; k.MonthlyQuota = &one })
	for i, step := range []struct {
		after   time.Duration
		status  int
		dropped string
	}{
		{0, 200, ""},
		{time.Second, 429, "data"}, // nobody knew
		{time.Second, 429, ""},
		{57 * time.Second, 429, ""},
		{3 * time.Second, 429, "data"},
	} {
		a.Time = a.Time.Add(step.after)
		a.at, a.nonce = a.Time, fmt.Sprint("n", i)
		r := a.Serve(t.Context(), a.request())
		if l := lastLine(t, a); r.Status != step.status || l.Dropped != step.dropped {
			t.Errorf("request %d: %d, dropped %q, want %d and %q", i, r.Status, l.Dropped, step.status, step.dropped)
		}
	}
}

// A quota that is raised, or a key with a larger one, is served all the same.
func TestASpentQuotaThatTheWorkerRemembersRefusesNothing(t *testing.T) {
	a := newAttempt(t)
	a.Spent.Take(pipelinetest.Organization, a.Time)
	if r := a.Serve(t.Context(), a.request()); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

func TestARateThatOpensMeanwhileStillReadsTheData(t *testing.T) {
	w := newWorld(t)
	a := &attempt{world: w}
	a.exhaustRate()
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

func TestRequestsAtTheSameTimeKeepTheRate(t *testing.T) {
	w := newWorld(t)
	var wg sync.WaitGroup
	statuses := make(chan int, 100)
	for i := range 100 {
		r := w.sign(listPath, "", "n"+string(rune('a'+i%26))+string(rune('a'+i/26)))
		wg.Go(func() { statuses <- w.Serve(t.Context(), r).Status })
	}
	wg.Wait()
	close(statuses)
	got := map[int]int{}
	for s := range statuses {
		got[s]++
	}
	if got[200] != 60 || got[429] != 40 || w.quotas.taken.Load() != 60 || w.nonces.consumed.Load() != 100 {
		t.Errorf("%v, quota %d, nonces %d", got, w.quotas.taken.Load(), w.nonces.consumed.Load())
	}
}

func TestOneNonceAtTheSameTimeServesOnce(t *testing.T) {
	w := newWorld(t)
	w.Failures = limits.NewFailures(1000, limits.WindowLength)
	r := w.sign(listPath, "", "n")
	var wg sync.WaitGroup
	statuses := make(chan int, 50)
	for range 50 {
		wg.Go(func() { statuses <- w.Serve(t.Context(), r).Status })
	}
	wg.Wait()
	close(statuses)
	got := map[int]int{}
	for s := range statuses {
		got[s]++
	}
	if got[200] != 1 || got[401] != 49 || w.quotas.taken.Load() != 1 {
		t.Errorf("%v, quota %d", got, w.quotas.taken.Load())
	}
}
