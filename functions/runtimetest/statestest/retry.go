package statestest

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"
)

// retried calls f until it succeeds, or fails as none of the state's retriers
// takes, or takes any longer.
func (w *walk) retried(ctx context.Context, s *state, f func() (any, error)) (any, error) {
	attempts := make([]int, len(s.Retry))
	for {
		result, err := f()
		var failure *Failure
		if !errors.As(err, &failure) {
			return result, err
		}
		n := slices.IndexFunc(s.Retry, func(r retrier) bool { return matches(r.ErrorEquals, failure.Name) })
		if n < 0 || attempts[n] >= s.Retry[n].most() {
			return nil, err
		}
		wait := s.Retry[n].wait(attempts[n])
		w.waited += wait
		if attempts[n]++; w.Passes != nil {
			w.Passes(wait)
		}
		if limit := w.Machine.timeout(); limit > 0 && w.waited > limit {
			return nil, errLate
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.count("")
	}
}

func (r retrier) most() int {
	if r.MaxAttempts == nil {
		return 3
	}
	return *r.MaxAttempts
}

// wait is the time before the retry after so many.
func (r retrier) wait(after int) time.Duration {
	seconds := float64(cmp.Or(r.IntervalSeconds, 1)) * math.Pow(cmp.Or(r.BackoffRate, 2), float64(after))
	if r.MaxDelaySeconds > 0 {
		seconds = min(seconds, float64(r.MaxDelaySeconds))
	}
	return time.Duration(seconds * float64(time.Second))
}

// caught is where a failure of a state leads to.
func (s *state) caught(input any, err error) (any, string, error) {
	var failure *Failure
	if errors.As(err, &failure) {
		for _, c := range s.Catch {
			if matches(c.ErrorEquals, failure.Name) {
				output, err := c.ResultPath.put(input, map[string]any{"Error": failure.Name, "Cause": failure.Cause})
				return output, c.Next, err
			}
		}
	}
	return nil, "", err
}

// matches reports whether an error is among those of a retrier or a catcher.
func matches(names []string, name string) bool {
	for _, n := range names {
		switch {
		case name == runtimeError: // by none
		case n == name,
			n == everyError && name != dataError,
			n == everyTaskFail && name != timeoutError && name != dataError && name != mapError:
			return true
		}
	}
	return false
}
