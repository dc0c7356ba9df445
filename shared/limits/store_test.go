package limits_test

import (
	"testing"
	"time"

	"touchline/shared/limits"
)

// D31: the timestamp may lie 300 s ahead of the clock, so it and not the clock
// is what the memory is counted from.
func TestANonceIsRememberedFor600SecondsFromItsTimestamp(t *testing.T) {
	n := limits.Nonce{Timestamp: time.Unix(1_700_000_300, 0)}
	if got, want := n.ExpiresAt(), int64(1_700_000_900); got != want {
		t.Errorf("ExpiresAt = %v, want %v", got, want)
	}
	if n.Timestamp = n.Timestamp.Add(1); n.ExpiresAt() != 1_700_000_901 {
		t.Errorf("a part of a second is cut off: %v", n.ExpiresAt())
	}
}

func TestAQuotaIsOfTheUTCCalendarMonth(t *testing.T) {
	east, west := time.FixedZone("east", 14*60*60), time.FixedZone("west", -12*60*60)
	for _, c := range []struct {
		name       string
		now        time.Time
		month      string
		resetAt    time.Time
		retryAfter int
	}{
		{"first moment", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), "2026-01", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), 31 * 86400},
		{"last moment", time.Date(2026, 1, 31, 23, 59, 59, 999_999_999, time.UTC), "2026-01", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), 1},
		{"December", time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC), "2026-12", time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), 86400},
		{"a leap year's February", time.Date(2028, 2, 28, 0, 0, 0, 0, time.UTC), "2028-02", time.Date(2028, 3, 1, 0, 0, 0, 0, time.UTC), 2 * 86400},
		{"the 31st before a short month", time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC), "2026-03", time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC), 43200},
		{"February in the east, January in UTC", time.Date(2026, 2, 1, 13, 0, 0, 0, east), "2026-01", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), 3600},
		{"January in the west, February in UTC", time.Date(2026, 1, 31, 12, 0, 0, 0, west), "2026-02", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), 28 * 86400},
		{"a fraction is rounded up", time.Date(2026, 1, 31, 23, 59, 58, 500_000_000, time.UTC), "2026-01", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := limits.Quota{Limit: 1, Now: c.now}
			if got := q.Month(); got != c.month {
				t.Errorf("Month = %s, want %s", got, c.month)
			}
			if got := q.ResetAt(); !got.Equal(c.resetAt) {
				t.Errorf("ResetAt = %v, want %v", got, c.resetAt)
			}
			if got := q.Refuse().RetryAfter; got != c.retryAfter {
				t.Errorf("RetryAfter = %d, want %d", got, c.retryAfter)
			}
			if got, want := q.ExpiresAt(), c.resetAt.AddDate(1, 0, 0).Unix(); got != want {
				t.Errorf("ExpiresAt = %v, want %v", got, want)
			}
		})
	}
}
