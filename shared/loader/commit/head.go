package commit

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader/history"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Head describes a journal and where it is stored. It is the payload of the lease, so
// only the load that holds the lease can write or remove it. An older load that has
// lost the lease, and does not know it yet, cannot.
type Head struct {
	// ID is unlike that of every other journal.
	ID string `dynamodbav:"i"`
	// Pieces is the number of items that hold the journal; 0: it is short. Writes is how
	// many writes it holds, and Order the version of their order.
	Pieces int `dynamodbav:"n,omitempty"`
	Writes int `dynamodbav:"w,omitempty"`
	Order  int `dynamodbav:"o,omitempty"`
	// Empty says that the load began on an empty table: its journal holds records.
	Empty bool `dynamodbav:"e,omitempty"`
	// Label is the loader's Options.Label, and Report what Load returns.
	Label  string  `dynamodbav:"l,omitempty"`
	Report *Report `dynamodbav:"r,omitempty"`
	// Number is that of the load (history.Mark); 0 while Step Functions prepares it.
	Number int `dynamodbav:"h,omitempty"`
	// Past says which loads are kept once this one has ended.
	Past history.Kept `dynamodbav:"k"`
	// Conducted is set of a load that Step Functions conducts: its records are not in
	// the journal, and only its own steps finish it.
	Conducted *Conducted `dynamodbav:"c,omitempty"`

	// Erases says that the load erases records (D64).
	Erases bool `dynamodbav:"x,omitempty"`

	short []byte // journal, in the process that keeps it
}

// Write completes a journal that was kept. With it the load is decided.
func (h *Head) Write(ctx context.Context, lease *store.Lease) error {
	item, err := attributevalue.MarshalMap(h)
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	return lease.Put(ctx, item)
}

// HeadOf is the head of the journal that the payload of a lease holds, nil for
// none.
func HeadOf(payload store.Item) (*Head, error) {
	if payload == nil {
		return nil, nil
	}
	h, err := store.Decode[Head](payload)
	if err == nil && h.Report != nil {
		h.Report.Number = h.Number
	}
	return h, err
}

// ReadHead reads the head of the journal of a load that was not finished, nil
// for none.
func ReadHead(ctx context.Context, table *store.Table) (*Head, error) {
	payload, err := store.ReadLeasePayload(ctx, table, records.LockKey())
	if err != nil {
		return nil, err
	}
	return HeadOf(payload)
}

// Clear removes a journal. If it is in pieces, its head goes first, so that half a
// journal is never taken for a whole one, and the mark of the lease is set with that.
// Then go the checkpoint and all pieces, also those that a load has left which was
// killed before it wrote a head. The head of a short journal stays: it goes as the
// lease ends.
func Clear(ctx context.Context, table *store.Table, lease *store.Lease, head *Head, mark store.Item) error {
	if head.Pieces > 0 {
		if err := lease.Complete(ctx, mark); err != nil {
			return err
		}
	}
	items, err := table.Query(ctx, store.Query{PK: records.JournalPK, Prefix: records.JournalPrefix, Consistent: true})
	if err != nil {
		return err
	}
	var pieces []store.Write
	for _, item := range items {
		pieces = append(pieces, store.Write{Key: store.KeyOf(item)})
	}
	return table.Write(ctx, pieces)
}
