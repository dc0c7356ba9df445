package limits

import (
	"hash/maphash"
	"sync/atomic"
	"time"

	"touchline/shared/sport"
)

// spentMemory is how long a spent quota is remembered. Until then no data is
// read ahead for its organization, also where the quota was raised meanwhile or
// another key has a larger one of its own: such requests are served, and wait
// for their data.
const spentMemory = time.Minute

// Refusals is what a worker remembers about requests that the stores are going to
// refuse: it saves the work that would run ahead of the refusal, and decides
// nothing. Its memory is bounded. A nil Refusals remembers nothing.
type Refusals struct {
	spent Windows[sport.ID]
	// nonces holds the hash of each nonce used in the place that the hash falls
	// into, until another takes it.
	nonces [refusedNonces]atomic.Uint64
	seed   maphash.Seed
}

// refusedNonces takes 32 KB, and outlasts the requests of a worker's key for as
// long as they could be replayed.
const refusedNonces = 1 << 12

// NewRefusals remembers nothing yet.
func NewRefusals() *Refusals {
	return &Refusals{
		spent: Windows[sport.ID]{Limit: 1, Length: spentMemory},
		seed:  maphash.MakeSeed(),
	}
}

// Spend remembers that the quota of an organization is used up.
func (r *Refusals) Spend(organization sport.ID, now time.Time) {
	if r != nil {
		r.spent.Take(organization, now)
	}
}

// Spent reports whether a quota was used up less than a minute ago.
func (r *Refusals) Spent(organization sport.ID, now time.Time) bool {
	return r != nil && !r.spent.Peek(organization, now).Allowed
}

// Use remembers that a nonce was used.
func (r *Refusals) Use(n Nonce) {
	if r != nil {
		h := r.hash(n)
		r.nonces[h%refusedNonces].Store(h)
	}
}

// Used reports whether this worker has seen the nonce before.
func (r *Refusals) Used(n Nonce) bool {
	if r == nil {
		return false
	}
	h := r.hash(n)
	return r.nonces[h%refusedNonces].Load() == h
}

// hash is never 0, which is an empty place.
func (r *Refusals) hash(n Nonce) uint64 {
	return max(1, maphash.Comparable(r.seed, [2]string{n.KeyID, n.Value}))
}
