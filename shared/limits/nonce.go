package limits

import (
	"context"
	"errors"
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

// ExpiresAt is the moment until which the nonce must be remembered, in Unix seconds,
// rounded up.
func (n Nonce) ExpiresAt() int64 { return n.Timestamp.Add(NonceMemory + time.Second - 1).Unix() }

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
