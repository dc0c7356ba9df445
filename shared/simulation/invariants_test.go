package simulation_test

import (
	"fmt"
	"time"

	"touchline/shared/limits"
)

// oldest is the greatest age of a response (D10), and how long a key may still
// work after it was revoked.
const oldest = 60 * time.Second

// check returns the invariants that do not hold.
func (w *world) check() (broken []string) {
	fail := func(format string, args ...any) { broken = append(broken, fmt.Sprintf(format, args...)) }
	accepted := map[string]*request{}
	charged := 0
	for _, r := range w.requests {
		charged += r.charges
		if problem := charge(r); problem != "" {
			fail("request %d (%d %s): %s", r.number, r.status, r.code, problem)
		}
		if problem := w.age(r); problem != "" {
			fail("request %d (%d %s): %s", r.number, r.status, r.code, problem)
		}
		if problem := w.explained(r); problem != "" {
			fail("request %d (%d %s): %s", r.number, r.status, r.code, problem)
		}
		if !passed(r) {
			continue
		}
		id := fmt.Sprint(r.key, " ", r.nonce)
		if before := accepted[id]; before != nil && !forgotten(before, r) {
			fail("request %d (%d %s): the nonce was accepted for request %d", r.number, r.status, r.code, before.number)
		}
		accepted[id] = r
	}
	counted := 0
	for _, n := range w.db.Used() {
		counted += n
		if n > w.quota {
			fail("a month counts %d, the quota is %d", n, w.quota)
		}
	}
	if counted != charged {
		fail("the counters say %d, the requests were charged %d", counted, charged)
	}
	return broken
}

// served reports whether a request got past the quota (D1 step 16).
func served(r *request) bool { return r.status == 200 || r.status == 400 || r.status == 404 }

// passed reports whether a request certainly got past the nonce (D1 step 11).
func passed(r *request) bool {
	return served(r) || r.status == 403 || r.code == "quotaExceeded"
}

// forgotten reports whether the nonce of a request may have been forgotten when
// another came (D31). The same request can never be accepted again: by then it
// is too old.
func forgotten(before, r *request) bool {
	return r.timestamp != before.timestamp && r.answered.Sub(time.Unix(before.timestamp, 0)) > limits.NonceMemory
}

// charge checks the charges of a request.
func charge(r *request) string {
	switch {
	case served(r) && r.charges != 1:
		return fmt.Sprintf("served, and charged %d times", r.charges)
	case r.charges > 1:
		return fmt.Sprintf("charged %d times", r.charges)
	case r.charges == 1 && (r.status == 401 || r.status == 403 || r.status == 429):
		return "refused, and charged"
	}
	return ""
}

// age checks the age of a response (D10).
func (w *world) age(r *request) string {
	if r.key == 0 && served(r) && !w.revoked.IsZero() && r.sent.Sub(w.revoked) > oldest {
		return fmt.Sprintf("served %s after the key was revoked", r.sent.Sub(w.revoked))
	}
	if r.status != 200 || r.method == "HEAD" {
		return ""
	}
	if r.version < 1 || r.version > len(w.versions) {
		return fmt.Sprintf("shows version %d of %d", r.version, len(w.versions))
	}
	if r.version == len(w.versions) {
		return ""
	}
	if old := r.answered.Sub(w.versions[r.version]); old > oldest {
		return fmt.Sprintf("shows what was replaced %s ago", old)
	}
	return ""
}

// explained checks that a fault of the schedule explains a failure.
func (w *world) explained(r *request) string {
	if w.faulty {
		return ""
	}
	if r.status == 0 || r.status >= 500 {
		return "failed without a fault"
	}
	return ""
}
