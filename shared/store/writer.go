package store

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Writer makes many writes as they come, in parallel calls like Table.Write, while
// holding on to few of them. One goroutine uses it. A key must not come twice
// between two Flushes: which of the two would stay is not said.
type Writer struct {
	table   *Table
	parent  context.Context
	pending []Write
	calls   *errgroup.Group
	ctx     context.Context // of calls: ended by the first that fails
}

// Writer begins a stream of writes that ends with the context, or with Close.
func (t *Table) Writer(ctx context.Context) *Writer {
	w := &Writer{table: t, parent: ctx}
	w.begin()
	return w
}

func (w *Writer) begin() {
	w.calls, w.ctx = errgroup.WithContext(w.parent)
	w.calls.SetLimit(w.table.parallel())
}

// Put takes a write, waiting while too many are under way. Its error is that of
// an earlier write: the stream has failed and takes no more.
func (w *Writer) Put(write Write) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	if w.pending = append(w.pending, write); len(w.pending) == w.table.DB.Bounds().Write {
		w.send()
	}
	return nil
}

func (w *Writer) send() {
	batch := w.pending
	w.pending = nil
	if len(batch) > 0 {
		w.calls.Go(func() error { return w.table.Write(w.ctx, batch) })
	}
}

// Flush waits until every write taken so far has been made.
func (w *Writer) Flush() error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	w.send()
	err := w.calls.Wait()
	if err == nil {
		w.begin()
	}
	return err
}

// Close flushes and ends the stream.
func (w *Writer) Close() error {
	err := w.Flush()
	_ = w.calls.Wait() // of none: it ends the context
	return err
}
