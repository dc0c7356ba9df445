package limits

import (
	"cmp"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

const (
	// RateLimit is how many requests a key has in a window of a worker (read-api,
	// Limits, Rate).
	RateLimit = 60
	// FailureLimit is how many failed authentications a caller address has in a
	// window of a worker (D2).
	FailureLimit = 20
	// WindowLength is the length of both windows (read-api, Limits; D2).
	WindowLength = time.Minute
	// WindowEntries is how many windows a worker keeps of a kind: about 4 MB. A
	// Lambda worker, serving one request at a time, does not open that many in a
	// minute.
	WindowEntries = 1 << 14
)

// Windows counts requests in fixed windows of one length, a window per key. A
// key's window begins with its first request after the last window's end (D9).
//
// The fields are set before the first use and not after. All methods are safe
// for concurrent use.
type Windows[K comparable] struct {
	// Limit is how many requests a window allows; 0 or less allows none.
	Limit int
	// Length is a window's length, more than 0.
	Length time.Duration
	// Entries bounds the windows kept; 0 is WindowEntries. When it is
	// reached, the window that ends first makes room. A caller who wants to lift
	// the block of one key that way needs Entries counted requests from as many
	// other keys within the window. Each of those keys had Limit requests to spend
	// for itself, so the flood costs far more than the block it lifts.
	Entries int

	mu sync.Mutex
	// begun has the windows in the order in which they began, since a look at one does not
	// change it. All are of one length, so they end in that order, too. nil: none yet.
	begun *simplelru.LRU[K, *window]
}

type window struct {
	end  time.Time
	used int
}

// Take counts a request of key at now if the limit allows it.
func (w *Windows[K]) Take(key K, now time.Time) Decision {
	now = now.Round(0) // wall clock: a worker may be suspended for any time
	w.mu.Lock()
	defer w.mu.Unlock()
	current := w.current(key, now)
	if current == nil {
		current = w.begin(key, now)
	}
	allowed := current.used < w.Limit
	if allowed {
		current.used++
	}
	return w.decide(allowed, current.used, current.end, now)
}

// Peek gives what Take would decide, and counts nothing: Remaining does not
// include the request.
func (w *Windows[K]) Peek(key K, now time.Time) Decision {
	now = now.Round(0)
	w.mu.Lock()
	defer w.mu.Unlock()
	used, end := 0, now.Add(w.Length)
	if current := w.current(key, now); current != nil {
		used, end = current.used, current.end
	}
	return w.decide(used < w.Limit, used, end, now)
}

// decide makes the decision for a window that ends at end. Requests overtake
// one another, so now may be a little before the window's beginning; that adds
// nothing to the wait.
func (w *Windows[K]) decide(allowed bool, used int, end, now time.Time) Decision {
	if begin := end.Add(-w.Length); now.Before(begin) {
		now = begin
	}
	return decide(allowed, w.Limit, used, end, now)
}

// current gives key's window at now, nil where none is open. A clock that was
// set back by more than a window's length ends the window too: it must not
// refuse for longer than it was meant to.
func (w *Windows[K]) current(key K, now time.Time) *window {
	if w.begun == nil {
		return nil
	}
	current, found := w.begun.Peek(key)
	if !found || !now.Before(current.end) || now.Before(current.end.Add(-2*w.Length)) {
		return nil
	}
	return current
}

// begin opens a window for key, which has none that is current, and makes room.
// Windows that have ended began first, so they go before any that has not.
func (w *Windows[K]) begin(key K, now time.Time) *window {
	if w.begun == nil {
		w.begun, _ = simplelru.NewLRU[K, *window](cmp.Or(w.Entries, WindowEntries), nil) // fails for no size above zero
	}
	begun := &window{end: now.Add(w.Length)}
	w.begun.Add(key, begun)
	return begun
}
