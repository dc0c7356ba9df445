package journal

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
	// Load is the mark of the load once it has ended. Its ID is unlike that of every other
	// journal.
	Load history.Mark `dynamodbav:"i"`
	// Pieces is the number of items that hold the journal; 0: it is in the load's item of
	// the history. Writes is how many writes it holds, and Version what they mean.
	Pieces  int `dynamodbav:"n,omitempty"`
	Writes  int `dynamodbav:"w,omitempty"`
	Version int `dynamodbav:"o,omitempty"`
	// Made says that so many of the first writes are in the table. It may say less than
	// there are, which costs time and nothing else.
	Made int `dynamodbav:"m,omitempty"`
	// First says that the load began on an empty table: its journal holds records.
	First bool `dynamodbav:"e,omitempty"`
	// Erases says that the load erases records (D64).
	Erases bool `dynamodbav:"x,omitempty"`
	// Label is the loader's Options.Label, and Report what Load returns.
	Label  string          `dynamodbav:"l,omitempty"`
	Report *history.Report `dynamodbav:"r,omitempty"`

	// short is a journal of one piece, or of none, in the process that keeps it.
	short []byte
}

// version is that of the order of writes, of the numbers of the sets of lists, of what a
// first load makes of its records, and of a journal. A journal of another one is refused.
const version = 9

// Write completes a journal that was kept. With it the load is decided.
func (h *Head) Write(ctx context.Context, lease *store.Lease) error {
	item, err := attributevalue.MarshalMap(h)
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	return lease.Put(ctx, item)
}
