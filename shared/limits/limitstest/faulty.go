package limitstest

import (
	"context"
	"sync"

	"touchline/shared/limits"
)

// Fault is what becomes of one call of a store.
type Fault struct {
	// Applied says that the store did what it was asked before it failed: the
	// answer is lost. Otherwise the store is not asked.
	Applied bool
	// Err is what the caller gets; nil hands the call on, whatever Applied says.
	Err error
}

// FaultyNonces is a NonceStore whose first calls fail as Faults says, one each;
// those after go to Store.
type FaultyNonces struct {
	Store  limits.NonceStore
	Faults []Fault

	script script
}

// Consume implements limits.NonceStore.
func (f *FaultyNonces) Consume(ctx context.Context, n limits.Nonce) error {
	fault := f.script.next(f.Faults)
	if fault.Err == nil {
		return f.Store.Consume(ctx, n)
	}
	if fault.Applied {
		if err := f.Store.Consume(ctx, n); err != nil {
			return err
		}
	}
	return fault.Err
}

// FaultyQuotas is a QuotaStore whose first calls fail as Faults says, one each;
// those after go to Store.
type FaultyQuotas struct {
	Store  limits.QuotaStore
	Faults []Fault

	script script
}

// Take implements limits.QuotaStore.
func (f *FaultyQuotas) Take(ctx context.Context, q limits.Quota) (limits.Decision, error) {
	fault := f.script.next(f.Faults)
	if fault.Err == nil {
		return f.Store.Take(ctx, q)
	}
	if fault.Applied {
		if _, err := f.Store.Take(ctx, q); err != nil {
			return limits.Decision{}, err
		}
	}
	return limits.Decision{}, fault.Err
}

// script counts the calls of a faulty store.
type script struct {
	mu    sync.Mutex
	calls int
}

// next gives the fault of this call, none after the last.
func (s *script) next(faults []Fault) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.calls > len(faults) {
		return Fault{}
	}
	return faults[s.calls-1]
}
