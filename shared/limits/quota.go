package limits

import (
	"context"
	"time"

	"touchline/shared/sport"
)

// Quota is a request's claim on its organization's month.
type Quota struct {
	// Organization owns the counter; all its keys share it.
	Organization sport.ID
	// Limit bounds this request: the key's own, else that of all (keys.Key.Quota,
	// D9). At 0 or less every request is refused.
	Limit int
	// Now is the moment of the request; its UTC calendar month is charged.
	Now time.Time
	// RequestID is the service's own name of the request, made for it alone. A store
	// recognizes by it a count whose answer was lost.
	RequestID string
}

// Month names the month that is charged, as 2026-01.
func (q Quota) Month() string { return q.Now.UTC().Format("2006-01") }

// ResetAt is the first moment of the month after, UTC.
func (q Quota) ResetAt() time.Time {
	year, month, _ := q.Now.UTC().Date()
	return time.Date(year, month+1, 1, 0, 0, 0, 0, time.UTC)
}

// ExpiresAt is when the counter of the month may be dropped: a year after the
// month, in Unix seconds.
func (q Quota) ExpiresAt() int64 { return q.ResetAt().AddDate(1, 0, 0).Unix() }

// Allow is the decision on a request that was counted as the used-th of the
// month.
func (q Quota) Allow(used int) Decision {
	return decide(true, q.Limit, used, q.ResetAt(), q.Now)
}

// Refuse is the decision on a request that was not counted, the quota being
// used up.
func (q Quota) Refuse() Decision {
	return decide(false, q.Limit, q.Limit, q.ResetAt(), q.Now)
}

// QuotaStore counts the requests of an organization for all workers.
type QuotaStore interface {
	// Take counts one request, durably, if fewer than q.Limit have been counted in
	// its month, and else refuses it without counting (D9). Of any number of calls
	// at the same time exactly as many are allowed as the limit leaves. Where the
	// answer to a count was lost and the store can find out that it was made, the
	// request is allowed. On an error the request may or may not have been counted,
	// once; the caller refuses it with 503 and does not call again. What the store
	// retries by itself never counts twice (D3).
	Take(ctx context.Context, q Quota) (Decision, error)
}
