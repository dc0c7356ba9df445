package store

import (
	"context"
	"sync"
)

// Writer makes many writes as they come, in parallel calls like Table.Write, while
// holding on to few of them. One goroutine uses it. A key must not come twice
// between two Flushes: which of the two would stay is not said.
type Writer struct {
	table   *Table
	ctx     context.Context
	cancel  context.CancelCauseFunc
	pending []Write
	slots   chan struct{}
	wait    sync.WaitGroup
}

// Writer begins a stream of writes that ends with the context, or with Close.
func (t *Table) Writer(ctx context.Context) *Writer {
	ctx, cancel := context.WithCancelCause(ctx)
	return &Writer{table: t, ctx: ctx, cancel: cancel, slots: make(chan struct{}, t.parallel())}
}

// Put takes a write, waiting while too many are under way. Its error is that of
// an earlier write: the stream has failed and takes no more.
func (w *Writer) Put(write Write) error {
	w.pending = append(w.pending, write)
	if len(w.pending) < w.table.DB.Bounds().Write {
		return w.err()
	}
	return w.send()
}

func (w *Writer) send() error {
	batch := w.pending
	w.pending = nil
	if len(batch) == 0 {
		return w.err()
	}
	select {
	case w.slots <- struct{}{}:
	case <-w.ctx.Done():
		return w.err()
	}
	w.wait.Go(func() {
		defer func() { <-w.slots }()
		if err := w.table.Write(w.ctx, batch); err != nil {
			w.cancel(err)
		}
	})
	return w.err()
}

func (w *Writer) err() error {
	if w.ctx.Err() == nil {
		return nil
	}
	return context.Cause(w.ctx)
}

// Flush waits until every write taken so far has been made.
func (w *Writer) Flush() error {
	err := w.send()
	w.wait.Wait()
	if err == nil {
		err = w.err()
	}
	return err
}

// Close flushes and ends the stream.
func (w *Writer) Close() error {
	err := w.Flush()
	w.cancel(nil)
	return err
}
