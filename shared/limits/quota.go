package limits

import (
	"context"
	"sync"
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
	// recognizes by it a count whose answer was lost; without one it cannot.
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
// month.
func (q Quota) ExpiresAt() time.Time { return q.ResetAt().AddDate(1, 0, 0) }

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

// MemoryQuotas is a QuotaStore for tests. Without room it drops the counters of
// other months than the one asked for, else returns ErrFull. Its zero value
// holds 100,000 counters.
type MemoryQuotas struct {
	// Entries bounds the counters held; less than 1 is 100,000.
	Entries int

	mu   sync.Mutex
	used map[quotaKey]int
}

type quotaKey struct {
	organization sport.ID
	month        string
}

// Take implements QuotaStore.
func (m *MemoryQuotas) Take(ctx context.Context, q Quota) (Decision, error) {
	if err := ctx.Err(); err != nil {
		return Decision{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	key := quotaKey{q.Organization, q.Month()}
	used, counted := m.used[key]
	if used >= q.Limit {
		return q.Refuse(), nil
	}
	if bound := entries(m.Entries); !counted && len(m.used) >= bound {
		m.forget(key.month)
		if len(m.used) >= bound {
			return Decision{}, ErrFull
		}
	}
	if m.used == nil {
		m.used = make(map[quotaKey]int)
	}
	m.used[key] = used + 1
	return q.Allow(used + 1), nil
}

// forget drops the counters of other months.
func (m *MemoryQuotas) forget(month string) {
	for key := range m.used {
		if key.month != month {
			delete(m.used, key)
		}
	}
}
