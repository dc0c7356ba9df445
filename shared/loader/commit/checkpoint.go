package commit

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/store"
	"touchline/shared/store/records"
)

// A Checkpoint says how far a long load has come: which phases are complete,
// and how much of the current one. It is stored next to the journal, is written
// after the writes that it reports, and stays true for the life of the journal.
// A missing or late checkpoint costs time only.
//
// The order of a load's writes is fixed: phases, in each set of edits the lists
// by name, and items by key. The first phase and the derived items change
// nothing that the view before is read from, so a load that is repeated finds
// the same edits. In later phases it finds fewer; those that it no longer finds
// are in the table.
type Checkpoint struct {
	Journal string `dynamodbav:"j"` // id of the journal
	Order   int    `dynamodbav:"o"` // writeOrder
	Phase   int    `dynamodbav:"p"` // the current one; those before it are complete
	// Lists has the last list written, by number of the set of edits.
	Lists map[int]string `dynamodbav:"l,omitempty"`
	// PK and SK are the key of the last item written.
	PK string `dynamodbav:"a,omitempty"`
	SK string `dynamodbav:"b,omitempty"`
}

// writeOrder is the version of the order of writes and of the numbers of the
// sets of edits. A checkpoint of another version is ignored; its writes are
// repeated.
const writeOrder = 2

// CheckpointKey is the key of the checkpoint: among the journal's parts, and
// removed with them.
func CheckpointKey() store.Key {
	return store.Key{PK: records.JournalPK, SK: records.JournalPrefix + "mark"}
}

// readCheckpoint decodes the checkpoint of a journal; nil if there isn't one, or
// if it belongs to another journal.
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

// write stores the checkpoint.
func (m *Checkpoint) write(ctx context.Context, table *store.Table) error {
	item, err := attributevalue.MarshalMap(m)
	if err != nil {
		return fmt.Errorf("encode checkpoint: %w", err)
	}
	return table.Write(ctx, []store.Write{{Key: CheckpointKey(), Item: item}})
}
