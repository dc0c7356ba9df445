package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/stack"
)

// Status says what became of a drop.
type Status string

// The statuses.
const (
	Loaded Status = "loaded" // or, after a dry run, would be
	Faulty Status = "faulty" // nothing was changed
	Failed Status = "failed" // not tried again; the next load finishes what was begun
)

// Report is the result of a drop.
type Report struct {
	Status Status    `json:"status"`
	Ready  Version   `json:"ready"` // the _READY that it belongs to
	DryRun bool      `json:"dryRun,omitempty"`
	Ended  time.Time `json:"ended"`
	// Counts is set if Status is Loaded. It includes the faults of records that
	// were left out.
	Counts *loader.Report `json:"counts,omitempty"`
	// Faults is set if Status is Faulty. The line of a fault is 0 if it is about
	// a whole file or archive.
	Faults *dataset.Faults `json:"faults,omitempty"`
	// Message is for people. It is set if Status is Failed.
	Message string `json:"message,omitempty"`
}

// Progress is how far the load of a drop has got.
type Progress struct {
	What string    `json:"what"`
	Done int       `json:"done"`
	All  int       `json:"all"` // 0: unknown
	At   time.Time `json:"at"`
}

// maxReport bounds the size of reports that are read back, in bytes.
const maxReport = 4 << 20

// errForeign says that an object with the name of a report or progress is
// neither.
var errForeign = errors.New("is not what the ingest function writes")

// ReadReport reads the report of a drop; nil if there isn't one yet.
func ReadReport(ctx context.Context, objects Objects, d Drop) (*Report, error) {
	return readObject[Report](ctx, objects, d, stack.DropReport)
}

// ReadProgress reads the progress of a drop; nil if there isn't one yet.
func ReadProgress(ctx context.Context, objects Objects, d Drop) (*Progress, error) {
	return readObject[Progress](ctx, objects, d, stack.DropProgress)
}

func readObject[T any](ctx context.Context, objects Objects, d Drop, name string) (*T, error) {
	content, err := objects.Get(ctx, d.Bucket, d.Key(name))
	if errors.Is(err, ErrNotFound) {
		return nil, nil //nolint:nilnil // there isn't one yet
	}
	if err != nil {
		return nil, err
	}
	defer content.Close()
	text, err := io.ReadAll(io.LimitReader(content, maxReport+1))
	if err != nil {
		return nil, fmt.Errorf("read %s/%s: %w", d, name, err)
	}
	found := new(T)
	if err := json.Unmarshal(text, found); err != nil {
		return nil, fmt.Errorf("%s/%s %w: %w", d, name, errForeign, err)
	}
	return found, nil
}

func writeObject(ctx context.Context, objects Objects, d Drop, name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return objects.Put(ctx, d.Bucket, d.Key(name), append(text, '\n'))
}

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
