package limitstest

import (
	"context"
	"sync"

	"touchline/shared/limits"
	"touchline/shared/sport"
)

// MemoryNonces is a NonceStore in memory that forgets nothing. The zero value is
// empty.
type MemoryNonces struct {
	mu   sync.Mutex
	used map[[2]string]string // the request that used a key's nonce
}

// Consume implements limits.NonceStore.
func (m *MemoryNonces) Consume(ctx context.Context, n limits.Nonce) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	nonce := [2]string{n.KeyID, n.Value}
	if request, recorded := m.used[nonce]; recorded {
		if n.RequestID == "" || n.RequestID != request {
			return &limits.ReplayedError{RequestID: request}
		}
		return nil
	}
	if m.used == nil {
		m.used = map[[2]string]string{}
	}
	m.used[nonce] = n.RequestID
	return nil
}

// MemoryQuotas is a QuotaStore in memory that forgets nothing. The zero value is
// empty.
type MemoryQuotas struct {
	mu   sync.Mutex
	used map[month]int
}

type month struct {
	organization sport.ID
	month        string
}

// Take implements limits.QuotaStore.
func (m *MemoryQuotas) Take(ctx context.Context, q limits.Quota) (limits.Decision, error) {
	if err := ctx.Err(); err != nil {
		return limits.Decision{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	of := month{q.Organization, q.Month()}
	if m.used[of] >= q.Limit {
		return q.Refuse(), nil
	}
	if m.used == nil {
		m.used = map[month]int{}
	}
	m.used[of]++
	return q.Allow(m.used[of]), nil
}
