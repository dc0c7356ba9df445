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

// Known is what a worker remembers about requests that the stores are going to
// refuse: it saves the work that would run ahead of the refusal, and decides
// nothing. Its memory is bounded. A nil Known remembers nothing.
type Known struct {
	spent Windows[sport.ID]
	// nonces holds the hash of each nonce used in the place that the hash falls
	// into, until another takes it.
	nonces [knownNonces]atomic.Uint64
	seed   maphash.Seed
}

// knownNonces takes 32 KB, and outlasts the requests of a worker's key for as
// long as they could be replayed.
const knownNonces = 1 << 12

// NewKnown remembers nothing yet.
func NewKnown() *Known {
	return &Known{
		spent: Windows[sport.ID]{Limit: 1, Length: spentMemory},
		seed:  maphash.MakeSeed(),
	}
}

// Spend remembers that the quota of an organization is used up.
func (k *Known) Spend(organization sport.ID, now time.Time) {
	if k != nil {
		k.spent.Take(organization, now)
	}
}

// Spent reports whether a quota was used up less than a minute ago.
func (k *Known) Spent(organization sport.ID, now time.Time) bool {
	return k != nil && !k.spent.Peek(organization, now).Allowed
}

// Use remembers that a nonce was used.
func (k *Known) Use(n Nonce) {
	if k != nil {
		h := k.hash(n)
		k.nonces[h%knownNonces].Store(h)
	}
}

// Used reports whether this worker has seen the nonce before.
func (k *Known) Used(n Nonce) bool {
	if k == nil {
		return false
	}
	h := k.hash(n)
	return k.nonces[h%knownNonces].Load() == h
}

// hash is never 0, which is an empty place.
func (k *Known) hash(n Nonce) uint64 {
	return max(1, maphash.Comparable(k.seed, [2]string{n.KeyID, n.Value}))
}
