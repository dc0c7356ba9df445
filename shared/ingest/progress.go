package ingest

import (
	"context"
	"sync"
	"time"

	"touchline/shared/stack"
)

// progressEvery is how often the progress is written: each write is billed, and
// nobody looks more often.
const progressEvery = 5 * time.Second

// reporter writes a drop's progress during the load, one write at a time.
type reporter struct {
	objects Objects
	drop    Drop
	now     func() time.Time

	mu     sync.Mutex
	last   time.Time
	busy   bool
	writes sync.WaitGroup
}

// say writes the progress unless that has just been done. It ignores failed
// writes.
func (t *reporter) say(ctx context.Context, what string, done, all int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	if t.busy || now.Sub(t.last) < progressEvery {
		return
	}
	t.busy, t.last = true, now
	progress := Progress{What: what, Done: done, All: all, At: now}
	t.writes.Go(func() {
		_ = writeObject(ctx, t.objects, t.drop, stack.DropProgress, progress)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.busy = false
	})
}

// end waits for a write in progress.
func (t *reporter) end() { t.writes.Wait() }
