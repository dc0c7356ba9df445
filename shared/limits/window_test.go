package limits_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/limits"
)

func noon() time.Time { return time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC) }

func TestTheWindowBeginsWithTheFirstRequest(t *testing.T) {
	w := &limits.Windows[string]{Limit: 2, Length: time.Minute}
	first := noon().Add(17 * time.Second)
	end := first.Add(time.Minute)
	for _, step := range []struct {
		name string
		now  time.Time
		want limits.Decision
	}{
		{"first", first, limits.Decision{Allowed: true, Limit: 2, Remaining: 1, ResetAt: end}},
		{"second, across the minute of the clock", first.Add(50 * time.Second), limits.Decision{Allowed: true, Limit: 2, Remaining: 0, ResetAt: end}},
		{"third", first.Add(50 * time.Second), limits.Decision{Limit: 2, ResetAt: end, RetryAfter: 10}},
		{"a nanosecond counts", first.Add(50*time.Second - time.Nanosecond), limits.Decision{Limit: 2, ResetAt: end, RetryAfter: 11}},
		{"a second is rounded up", first.Add(50*time.Second + time.Nanosecond), limits.Decision{Limit: 2, ResetAt: end, RetryAfter: 10}},
		{"the wait is never zero", end.Add(-time.Nanosecond), limits.Decision{Limit: 2, ResetAt: end, RetryAfter: 1}},
		{"at its end, another begins", end, limits.Decision{Allowed: true, Limit: 2, Remaining: 1, ResetAt: end.Add(time.Minute)}},
		{"after a pause, another", end.Add(time.Hour), limits.Decision{Allowed: true, Limit: 2, Remaining: 1, ResetAt: end.Add(time.Hour + time.Minute)}},
	} {
		if diff := cmp.Diff(step.want, w.Take("k", step.now)); diff != "" {
			t.Errorf("%s: %s", step.name, diff)
		}
	}
}

func TestPeekCountsNothing(t *testing.T) {
	w := &limits.Windows[string]{Limit: 2, Length: time.Minute}
	fresh := limits.Decision{Allowed: true, Limit: 2, Remaining: 2, ResetAt: noon().Add(time.Minute)}
	for range 5 {
		if diff := cmp.Diff(fresh, w.Peek("k", noon())); diff != "" {
			t.Fatal(diff)
		}
	}
	w.Take("k", noon())
	w.Take("k", noon())
	later := noon().Add(59 * time.Second)
	if diff := cmp.Diff(limits.Decision{Limit: 2, ResetAt: noon().Add(time.Minute), RetryAfter: 1}, w.Peek("k", later)); diff != "" {
		t.Error(diff)
	}
	if d := w.Peek("k", noon().Add(time.Minute)); !d.Allowed || d.Remaining != 2 {
		t.Errorf("after the window: %+v, want all of the limit", d)
	}
}

func TestKeysAreCountedApart(t *testing.T) {
	w := &limits.Windows[string]{Limit: 1, Length: time.Minute}
	for _, key := range []string{"a", "b", "A", ""} {
		if d := w.Take(key, noon()); !d.Allowed {
			t.Errorf("%q: %+v, want allowed", key, d)
		}
	}
}

func TestALimitOfNothingRefusesAll(t *testing.T) {
	for _, limit := range []int{0, -3} {
		w := &limits.Windows[string]{Limit: limit, Length: time.Minute}
		for _, d := range []limits.Decision{w.Peek("k", noon()), w.Take("k", noon())} {
			if d.Allowed || d.Remaining != 0 || d.RetryAfter != 60 {
				t.Errorf("limit %d: %+v, want refused for 60 s", limit, d)
			}
		}
	}
}

// Also where the settings make no sense: a client told to wait for 0 seconds
// would be back at once.
func TestARefusalAlwaysAsksToWait(t *testing.T) {
	w := &limits.Windows[string]{}
	if d := w.Take("k", noon()); d.Allowed || d.RetryAfter != 1 {
		t.Errorf("%+v, want refused for a second", d)
	}
}

// The monotonic clock may stop while a worker is suspended.
func TestAWindowEndsByTheWallClock(t *testing.T) {
	w := &limits.Windows[string]{Limit: 1, Length: time.Minute}
	now := time.Now()
	for _, d := range []limits.Decision{w.Peek("k", now), w.Take("k", now)} {
		if d.ResetAt != now.Round(0).Add(time.Minute) {
			t.Errorf("ResetAt is %v, which has a monotonic reading", d.ResetAt)
		}
	}
}

// Requests take their time before they take the lock.
func TestARequestThatWasOvertakenIsInTheWindow(t *testing.T) {
	w := &limits.Windows[string]{Limit: 1, Length: time.Minute}
	w.Take("k", noon())
	if d := w.Take("k", noon().Add(-5*time.Millisecond)); d.Allowed || d.RetryAfter != 60 {
		t.Errorf("%+v, want refused for 60 s", d)
	}
}

func TestAClockSetBackDoesNotLengthenTheBlock(t *testing.T) {
	w := &limits.Windows[string]{Limit: 1, Length: time.Minute}
	w.Take("k", noon())
	if d := w.Take("k", noon().Add(-time.Hour)); !d.Allowed {
		t.Errorf("%+v, want a window by the new clock", d)
	}
	if d := w.Take("k", noon().Add(-time.Hour)); d.Allowed || d.RetryAfter != 60 {
		t.Errorf("%+v, want refused for 60 s", d)
	}
}

func TestConcurrentRequestsGetTheLimitAndNotOneMore(t *testing.T) {
	w := &limits.Windows[string]{Limit: limits.RateLimit, Length: limits.WindowLength}
	var allowed atomic.Int64
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			if w.Take("k", noon().Add(time.Duration(i)*time.Millisecond)).Allowed {
				allowed.Add(1)
			}
			w.Take(fmt.Sprint(i), noon())
			w.Peek("k", noon())
		})
	}
	all.Wait()
	if got := allowed.Load(); got != limits.RateLimit {
		t.Errorf("%d allowed, want %d", got, limits.RateLimit)
	}
}

func TestAFloodOfKeysCostsTheWindowThatEndsFirst(t *testing.T) {
	w := &limits.Windows[string]{Limit: 1, Length: time.Minute, Entries: 3}
	blocked := func(key string, at time.Duration) bool { return !w.Peek(key, noon().Add(at)).Allowed }
	for i, key := range []string{"a", "b", "c"} {
		w.Take(key, noon().Add(time.Duration(i)*time.Second))
	}
	w.Take("a", noon().Add(3*time.Second)) // being busy earns no place
	w.Take("d", noon().Add(4*time.Second))
	for key, want := range map[string]bool{"a": false, "b": true, "c": true, "d": true} {
		if blocked(key, 5*time.Second) != want {
			t.Errorf("%s blocked: %v, want %v", key, !want, want)
		}
	}
}

// One key that begins windows again and again takes one place, not the others'.
func TestWindowsThatHaveEndedMakeRoomFirst(t *testing.T) {
	w := &limits.Windows[string]{Limit: 1, Length: time.Minute, Entries: 2}
	w.Take("a", noon())
	w.Take("b", noon().Add(59*time.Second))
	w.Take("a", noon().Add(60*time.Second))
	if w.Peek("b", noon().Add(61*time.Second)).Allowed {
		t.Error("b's window, which had not ended, made room for a's")
	}
	w.Take("c", noon().Add(120*time.Second))
	w.Take("d", noon().Add(120*time.Second))
	if w.Peek("c", noon().Add(121*time.Second)).Allowed {
		t.Error("c's window made room although others had ended")
	}
}

func TestAKeyThatBeginsAgainGivesItsOldPlaceBack(t *testing.T) {
	w := &limits.Windows[string]{Limit: 1, Length: time.Minute, Entries: 2}
	w.Take("a", noon())
	w.Take("a", noon().Add(60*time.Second))
	w.Take("b", noon().Add(61*time.Second))
	for _, key := range []string{"a", "b"} {
		if w.Peek(key, noon().Add(62*time.Second)).Allowed {
			t.Errorf("%s's window made room where there was room", key)
		}
	}
}

func TestResetIsRoundedUpToASecond(t *testing.T) {
	for _, c := range []struct {
		name  string
		nanos int64
		want  int64
	}{
		{"whole", 0, 100},
		{"just after", 1, 101},
		{"just before the next", 999_999_999, 101},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (limits.Decision{ResetAt: time.Unix(100, c.nanos)}).ResetUnix(); got != c.want {
				t.Errorf("ResetUnix = %d, want %d", got, c.want)
			}
		})
	}
}

func TestTwentyFailuresBlockTheCallerForTheRestOfTheWindow(t *testing.T) {
	f := limits.NewFailures(limits.FailureLimit, limits.WindowLength)
	for i := range 20 {
		if d := f.Peek("192.0.2.1", noon()); !d.Allowed {
			t.Fatalf("blocked after %d failures", i)
		}
		f.Count("192.0.2.1", noon())
	}
	if d := f.Peek("192.0.2.1", noon().Add(45*time.Second)); d.Allowed || d.RetryAfter != 15 {
		t.Errorf("%+v, want refused for 15 s", d)
	}
	if d := f.Peek("192.0.2.2", noon()); !d.Allowed {
		t.Errorf("another address: %+v, want allowed", d)
	}
	// Failures while blocked, from requests in flight, do not lengthen it.
	f.Count("192.0.2.1", noon().Add(59*time.Second))
	if d := f.Peek("192.0.2.1", noon().Add(time.Minute)); !d.Allowed {
		t.Errorf("after the window: %+v, want allowed", d)
	}
}

func TestACallerIsAnIPv4AddressOrAnIPv6Prefix(t *testing.T) {
	for _, c := range []struct {
		name   string
		failed string
		asks   string
		same   bool
	}{
		{"the same IPv4 address", "192.0.2.1", "192.0.2.1", true},
		{"a neighbour on IPv4", "192.0.2.1", "192.0.2.0", false},
		{"IPv4 written as IPv6", "192.0.2.1", "::ffff:192.0.2.1", true},
		{"IPv4 written as IPv6 keeps all its bits", "::ffff:192.0.2.1", "::ffff:192.0.2.2", false},
		{"the same IPv6 address, written otherwise", "2001:db8::1", "2001:DB8:0:0:0:0:0:1", true},
		{"the same /64", "2001:db8::1", "2001:db8::ffff:1", true},
		{"the next /64", "2001:db8::1", "2001:db8:0:1::1", false},
		{"the zone is not part of it", "fe80::1%eth0", "fe80::1%eth1", true},
		{"a port on IPv4", "192.0.2.1:4711", "192.0.2.1", true},
		{"a port on IPv6", "[2001:db8::1]:4711", "2001:db8::1", true},
		{"ports do not tell callers apart", "192.0.2.1:1", "192.0.2.1:2", true},
		{"what is no address is one caller", "unknown", "", true},
		{"what is no address is no one's", "unknown", "0.0.0.0", false},
		{"nor IPv6's", "unknown", "::", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := limits.NewFailures(1, limits.WindowLength)
			f.Count(c.failed, noon())
			if got := !f.Peek(c.asks, noon()).Allowed; got != c.same {
				t.Errorf("%q blocked by %q: %v, want %v", c.asks, c.failed, got, c.same)
			}
		})
	}
}

// Who owns a /48 has 65,536 /64 to come from.
func TestASiteOnIPv6HasALimitOfItsOwn(t *testing.T) {
	f := limits.NewFailures(20, limits.WindowLength)
	for n := range 100 {
		caller := fmt.Sprintf("2001:db8:0:%x::1", n)
		if d := f.Peek(caller, noon()); !d.Allowed {
			t.Fatalf("%s is refused after %d failures of its site", caller, n)
		}
		f.Count(caller, noon())
	}
	if d := f.Peek("2001:db8:0:ffff::1", noon().Add(time.Second)); d.Allowed || d.RetryAfter != 59 {
		t.Errorf("the site after 100 failures: %+v, want refused for 59 s", d)
	}
	for _, other := range []string{"2001:db8:1::1", "192.0.2.1"} {
		if d := f.Peek(other, noon()); !d.Allowed {
			t.Errorf("%s: %+v, want allowed", other, d)
		}
	}
	if d := f.Peek("2001:db8:0:ffff::1", noon().Add(time.Minute)); !d.Allowed {
		t.Errorf("after the window: %+v, want allowed", d)
	}
}

func TestLookingAtACallerAllocatesNothing(t *testing.T) {
	f := limits.NewFailures(limits.FailureLimit, limits.WindowLength)
	f.Count("2001:db8::1", noon())
	now := noon()
	if got := testing.AllocsPerRun(100, func() { f.Peek("2001:db8::2", now) }); got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}
