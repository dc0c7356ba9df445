package limits

import (
	"context"
	"errors"
	"sync"
	"time"
)

// NonceMemory is how long after its request's timestamp a nonce is remembered
// at least (D31). A request can arrive until 300 s after its timestamp, so none
// outlives the memory of its nonce.
const NonceMemory = 600 * time.Second

// ErrReplayed says that a nonce was used before: a 401 (D1 step 11).
var ErrReplayed = errors.New("nonce already used")

// ReplayedError is an ErrReplayed that says who used the nonce.
type ReplayedError struct {
	RequestID string // of the request that did; empty: not known
}

// Error implements error.
func (e *ReplayedError) Error() string { return ErrReplayed.Error() + " by request " + e.RequestID }

// Unwrap gives ErrReplayed.
func (*ReplayedError) Unwrap() error { return ErrReplayed }

// ErrFull says that a store in memory holds all it may and can forget nothing.
var ErrFull = errors.New("store is full")

// Nonce is the use of a nonce by a request.
type Nonce struct {
	// KeyID and Value are what is unique: the same value under another key is
	// another nonce. Both have passed signing.ParseHeaders.
	KeyID, Value string
	// RequestID names the request that uses it. The service makes one for each
	// request, never the caller: a store takes the same id for the same
	// request, whose first response was lost (D3).
	RequestID string
	// Timestamp is the request's, which lies up to 300 s on either side of the
	// clock.
	Timestamp time.Time
}

// ExpiresAt is the moment until which the nonce must be remembered.
func (n Nonce) ExpiresAt() time.Time { return n.Timestamp.Add(NonceMemory) }

// NonceStore remembers nonces for all workers.
type NonceStore interface {
	// Consume records n durably, or returns ErrReplayed if a record of its key
	// and value exists, expired or not (D31): a *ReplayedError that names the
	// request of the record. Of any number of calls with one nonce at the same
	// time, one succeeds. A call that repeats a recorded one, request id
	// included, succeeds: the first response may have been lost, and the store
	// retries by itself (D3). After any other error the nonce may or may not be
	// recorded, and the request is refused with 503.
	Consume(ctx context.Context, n Nonce) error
}

// memoryEntries is how many nonces a store in memory holds by default.
const memoryEntries = 100_000

// MemoryNonces is a NonceStore for tests. It forgets only what has expired, and
// only for want of room; without room it returns ErrFull. Its zero value holds
// 100,000 nonces by the wall clock.
type MemoryNonces struct {
	// Now is the clock that nonces expire by; nil is time.Now.
	Now func() time.Time
	// Entries bounds the nonces held; less than 1 is 100,000.
	Entries int

	mu   sync.Mutex
	used map[nonceKey]nonceUse
}

type nonceKey struct{ keyID, value string }

type nonceUse struct {
	requestID string
	expiresAt time.Time
}

// Consume implements NonceStore.
func (m *MemoryNonces) Consume(ctx context.Context, n Nonce) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if use, recorded := m.used[nonceKey{n.KeyID, n.Value}]; recorded {
		if n.RequestID == "" || n.RequestID != use.requestID {
			return &ReplayedError{use.requestID}
		}
		return nil
	}
	if bound := entries(m.Entries); len(m.used) >= bound {
		m.forget()
		if len(m.used) >= bound {
			return ErrFull
		}
	}
	if m.used == nil {
		m.used = make(map[nonceKey]nonceUse)
	}
	m.used[nonceKey{n.KeyID, n.Value}] = nonceUse{requestID: n.RequestID, expiresAt: n.ExpiresAt()}
	return nil
}

// forget drops what has expired.
func (m *MemoryNonces) forget() {
	now := time.Now
	if m.Now != nil {
		now = m.Now
	}
	at := now()
	for key, use := range m.used {
		if at.After(use.expiresAt) {
			delete(m.used, key)
		}
	}
}

func entries(n int) int {
	if n < 1 {
		return memoryEntries
	}
	return n
}
