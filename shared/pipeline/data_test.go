package pipeline_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/limits"
	"touchline/shared/pipeline"
	"touchline/shared/problem"
	"touchline/shared/route"
)

func TestNoDataIsReadForWhatIsRefusedBeforeIt(t *testing.T) {
	for _, f := range faults() {
		a := newAttempt(t)
		f.arm(t, a)
		a.Serve(t.Context(), a.request())
		if n := len(a.handler.called()); (n > 0) != (f.step >= 19) {
			t.Errorf("%v: %d reads", f, n)
		}
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
