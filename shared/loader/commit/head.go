package commit

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader/history"
	"touchline/shared/store"
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
	// Number is that of the load (history.Mark).
	Number int `dynamodbav:"h,omitempty"`
	// Past says which loads are kept once this one has ended.
	Past history.Kept `dynamodbav:"k"`
	// Erases says that the load erases records (D64).
	Erases bool `dynamodbav:"x,omitempty"`

	// Short is a journal that is not in pieces, in the process that keeps it: Enter stores it
	// with the load's entry of the history.
	Short []byte `dynamodbav:"-"`
}

// Write completes a journal that was kept. With it the load is decided.
func (h *Head) Write(ctx context.Context, lease *store.Lease) error {
	item, err := attributevalue.MarshalMap(h)
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	return lease.Put(ctx, item)
}
