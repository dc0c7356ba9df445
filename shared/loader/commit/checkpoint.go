package commit

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/store"
	"touchline/shared/store/records"
)

// A Checkpoint says how far a load has come that is too long to be done again: which
// phases are over, and up to where the one that was going on. It lies beside
// the journal, is written once what it says stands, and says what is true of
// its journal for ever. One that comes late, or never, costs time only.
//
// The order of a load's writes is fixed: phases, in each shelf the lists by
// name, items by key. While lists of the first phase and derived items are
// written, nothing changes that the view before is read from, so that a load
// that is done again comes to the same edits; later it comes to fewer, and of
// those that it does not come to any more each stands.
type Checkpoint struct {
	Journal string `dynamodbav:"j"` // id of the journal
	Order   int    `dynamodbav:"o"` // writeOrder
	Phase   int    `dynamodbav:"p"` // going on; those before it are over
	// Lists are, by number of the shelf, the last list that stands.
	Lists map[int]string `dynamodbav:"l,omitempty"`
	// PK and SK are the last item that stands.
	PK string `dynamodbav:"a,omitempty"`
	SK string `dynamodbav:"b,omitempty"`
}

// writeOrder is the version of the order of writes and of the shelves' numbers.
// Marks of another are passed over, and what they say is done again.
const writeOrder = 2

// CheckpointKey is where the mark lies: among the journal's parts, and cleared with
// them.
func CheckpointKey() store.Key {
	return store.Key{PK: records.JournalPK, SK: records.JournalPrefix + "mark"}
}

// readCheckpoint reads the mark of a journal; nil where there is none, or that of
// another.
func readCheckpoint(item store.Item, journal string) (*Checkpoint, error) {
	if item == nil || journal == "" {
		return nil, nil
	}
	m, err := store.Decode[Checkpoint](item)
	if err != nil || m.Journal != journal || m.Order != writeOrder {
		return nil, err
	}
	return m, nil
}

// write makes the mark stand.
func (m *Checkpoint) write(ctx context.Context, table *store.Table) error {
	item, err := attributevalue.MarshalMap(m)
	if err != nil {
		return fmt.Errorf("encode mark: %w", err)
	}
	return table.Write(ctx, []store.Write{{Key: CheckpointKey(), Item: item}})
}
