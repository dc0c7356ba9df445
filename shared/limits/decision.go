package limits

import "time"

// Decision is the answer of a limit to one request.
type Decision struct {
	// Allowed says that the request may be served.
	Allowed bool
	// Limit is the number of requests until ResetAt that are allowed.
	Limit int
	// Remaining is how many of them are left after this one; never below 0.
	Remaining int
	// ResetAt is when counting starts again from 0.
	ResetAt time.Time
	// RetryAfter is the whole number of seconds after which ResetAt has come: at
	// least 1 where the request is refused, 0 where it is allowed.
	RetryAfter int
}

// ResetUnix gives ResetAt in Unix seconds for X-RateLimit-Reset, rounded up: who
// waits for that second finds a new window.
func (d Decision) ResetUnix() int64 { return d.ResetAt.Add(time.Second - 1).Unix() }

// decide puts a count, which includes the request where it is allowed, into an
// answer.
func decide(allowed bool, limit, used int, resetAt, now time.Time) Decision {
	d := Decision{Allowed: allowed, Limit: limit, Remaining: max(0, limit-used), ResetAt: resetAt}
	if !allowed {
		d.RetryAfter = max(1, int((resetAt.Sub(now)+time.Second-1)/time.Second))
	}
	return d
}
