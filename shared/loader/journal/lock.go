package journal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader/history"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// Header describes a journal and where it is stored. It is the payload of the lease, so
// only the load that holds the lease can write or remove it. An older load that has
// lost the lease, and does not know it yet, cannot.
type Header struct {
	// Load is the mark of the load once it has ended. Its ID is unlike that of every other
	// journal.
	Load history.Mark `dynamodbav:"i"`
	// Pieces is the number of items that hold the journal; 0: it is in the load's item of
	// the history. Writes is how many writes it holds, and Version what they mean.
	Pieces  int `dynamodbav:"n,omitempty"`
	Writes  int `dynamodbav:"w,omitempty"`
	Version int `dynamodbav:"o,omitempty"`
	// First says that the load began on an empty table: its journal holds records.
	First bool `dynamodbav:"e,omitempty"`
	// Erases says that the load erases records (D64), and Over that all its writes are
	// made: what it has kept of them is still to be removed.
	Erases bool `dynamodbav:"x,omitempty"`
	Over   bool `dynamodbav:"d,omitempty"`
	// Report is what Load returns.
	Report *history.Report `dynamodbav:"r,omitempty"`

	// short is a journal of one piece, or of none, in the process that keeps it.
	short []byte
}

// version is that of the order of writes, of the numbers of schemas (diff.Lists), of what a
// first load makes of its records, and of a journal. A journal of another one is refused.
const version = 9

// Write completes a journal that was kept. With it the load is decided.
func (h *Header) Write(ctx context.Context, lease *store.Lease) error {
	item, err := attributevalue.MarshalMap(h)
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	return lease.Put(ctx, item)
}

// Lock is a table whose lease is held, and is renewed until the lock ends.
type Lock struct {
	Table  *store.Table // refuses writes once the lease may have run out
	Lease  *store.Lease
	Header *Header      // of a load that has not ended; nil: none
	Last   history.Mark // of the last load that ended

	stop  func() // ends the renewals; it may be called twice
	ended bool   // the lease is given back
}

// Take takes the lease of a table. Losing it ends the context. Its errors are those of
// store.Lease.Take.
func Take(ctx context.Context, table *store.Table, lease *store.Lease) (context.Context, *Lock, error) {
	held, err := lease.Take(ctx)
	if err != nil {
		return nil, nil, err
	}
	guarded := *table
	guarded.DB = lease.Guard(table.DB)
	ctx, cancel := context.WithCancelCause(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		renew(ctx, lease, cancel)
	}()
	l := &Lock{Table: &guarded, Lease: lease, stop: func() { cancel(nil); <-stopped }}
	if l.Header, l.Last, err = decode(held.Payload, held.Mark); err != nil {
		l.Free()
		return nil, nil, err
	}
	return ctx, l, nil
}

// renew renews a lease until ctx ends, and cancels ctx if the lease is lost.
// A renewal that DynamoDB does not complete in time (it may be busy with the
// load itself) is given up and tried again with more time, for a minute or so: a
// lease that has run out may be renewed until another load takes it.
func renew(ctx context.Context, lease *store.Lease, cancel context.CancelCauseFunc) {
	const (
		pause    = store.LeaseTerm / 4
		longest  = 8 * pause // try
		patience = time.Minute
	)
	renewed, limit := time.Now(), pause
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		try, end := context.WithTimeout(ctx, limit)
		err := lease.Renew(try)
		end()
		lost := errors.As(err, new(*store.HeldError)) || errors.Is(err, store.ErrLeaseLost)
		switch limit = min(2*limit, longest); {
		case err == nil:
			renewed, limit = time.Now(), pause
		case ctx.Err() == nil && (lost || time.Since(renewed) > patience):
			cancel(fmt.Errorf("lost the right to load: %w", err))
		}
	}
}

// Read is what Take finds, without the lease.
func Read(ctx context.Context, table *store.Table) (*Header, history.Mark, error) {
	payload, mark, err := store.ReadLease(ctx, table, records.LockKey())
	if err != nil {
		return nil, history.Mark{}, err
	}
	return decode(payload, mark)
}

func decode(payload, mark store.Item) (header *Header, last history.Mark, err error) {
	if payload != nil {
		if header, err = store.Decode[Header](payload); err != nil {
			return nil, last, err
		}
		if header.Report != nil {
			header.Report.Number = header.Load.Number
		}
	}
	last, err = history.MarkOf(mark)
	return header, last, err
}

// Free gives the lease back, unless End has. What it was held for is over either way: a
// lease that cannot be given back runs out. A load that is decided is left to the next one.
func (l *Lock) Free() {
	if !l.ended {
		l.stop()
		_ = l.Lease.Free(context.Background())
	}
}

// Begin numbers the load of a header whose journal is kept, writes the load's item of the
// history, and removes those of loads that are too old. P says when the load began and who
// loads. The load is decided with Header.Write.
func (l *Lock) Begin(ctx context.Context, header *Header, p *history.Past, back *history.WayBack) error {
	l.Header, p.Number, p.ID = header, l.Last.Number+1, header.Load.ID
	if header.Pieces == 0 {
		p.Journal = header.short
	}
	header.Report.Number, p.Report.Number = p.Number, p.Number
	writes, err := p.Writes(back)
	if err != nil {
		return err
	}
	kept, old, err := l.Last.Kept.Add(ctx, l.Table, p)
	if err != nil {
		return err
	}
	header.Load = history.Mark{Number: p.Number, ID: p.ID, Erased: l.Last.Erased || header.Erases || header.Report.Told > 0, Kept: kept}
	return l.Table.Write(ctx, append(writes, old...))
}

// Abandon gives up the load of Header: what it has written stays.
func (l *Lock) Abandon(ctx context.Context) error {
	if err := generation.End(ctx, l.Table, 0, l.Lease.Now()); err != nil {
		return err
	}
	l.Header.Load.Abandoned = true
	return l.Complete(ctx)
}

// Complete notes that the load of Header has ended, and removes its journal.
func (l *Lock) Complete(ctx context.Context) error {
	mark, err := l.clear(ctx)
	if err != nil {
		return err
	}
	l.Header = nil
	return l.Lease.Complete(ctx, mark)
}

// End is Complete, and gives the lease back with the same write.
func (l *Lock) End(ctx context.Context) error {
	mark, err := l.clear(ctx)
	if err != nil {
		return err
	}
	l.stop()
	err = l.Lease.End(context.WithoutCancel(ctx), mark)
	l.ended = err == nil
	return err
}

// clear removes the pieces of the journal but the first, and returns the mark, which its
// caller writes as it removes the header. Where there are such pieces, clear removes the header
// before them, so that half a journal is never taken for a whole one.
//
// With these pieces go those of a load that was killed before it wrote a header. A load whose
// journal has one piece or none does not look for them: that would be a round trip of every
// goal. So they stay until a load has more pieces, or erases (D64): erasure.Scrub removes all.
func (l *Lock) clear(ctx context.Context) (mark store.Item, err error) {
	l.Last = l.Header.Load
	if mark, err = l.Last.Item(); err != nil || l.Header.Pieces < 2 {
		return mark, err
	}
	if err := l.Lease.Complete(ctx, mark); err != nil {
		return nil, err
	}
	items, err := l.Table.Query(ctx, store.Query{
		PK: records.JournalPK, From: records.JournalKey(1).SK, To: records.JournalPrefix + "~", Consistent: true,
	})
	if err != nil {
		return nil, err
	}
	var pieces []store.Write
	for _, item := range items {
		pieces = append(pieces, store.Write{Key: store.KeyOf(item)})
	}
	return mark, l.Table.Write(ctx, pieces)
}
