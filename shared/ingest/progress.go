package ingest

import (
	"context"
	"sync"
	"time"

	"touchline/shared/stack"
)

// progressEvery is how often a progress is written: each is a request that
// costs, and a person looks no more often.
const progressEvery = 5 * time.Second

// teller writes a drop's progress beside the load, never two at once.
type teller struct {
	objects Objects
	drop    Drop
	now     func() time.Time

	mu     sync.Mutex
	told   time.Time
	busy   bool
	writes sync.WaitGroup
}

// say hears a progress, and writes it where the last one is old. A progress that
// cannot be written is none.
func (t *teller) say(ctx context.Context, what string, done, all int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	if t.busy || now.Sub(t.told) < progressEvery {
		return
	}
	t.busy, t.told = true, now
	t.writes.Go(func() {
		_ = writeAnswer(ctx, t.objects, t.drop, stack.DropProgress, Progress{what, done, all, now})
		t.mu.Lock()
		defer t.mu.Unlock()
		t.busy = false
	})
}

// end waits for a write that is under way.
func (t *teller) end() { t.writes.Wait() }
