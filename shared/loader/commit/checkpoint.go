package commit

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader/diff"
	"touchline/shared/loader/spool"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// A Checkpoint says how far a long load has come: everything up to its place is
// in the table. It is stored next to the journal, is written after the writes that
// it reports, and stays true for the life of the journal. A missing or late
// checkpoint costs time only.
//
// The order of a load's writes is fixed: phases, in each of them sets of lists,
// of each schema the lists by name; and items by key.
type Checkpoint struct {
	Journal string `dynamodbav:"j"` // id of the journal
	Order   int    `dynamodbav:"o"` // writeOrder
	// Place is that of the last item written. Of lists only the name counts: that of the
	// last one that is complete.
	spool.Place
}

// writeOrder is the version of the order of writes, of the numbers of the sets of
// lists, and of a journal. A checkpoint of another version is ignored, and its writes
// are repeated; a journal of another version is refused.
const writeOrder = 6

// begun reports whether there is a place: a load without one has to begin again.
func (m *Checkpoint) begun() bool { return m.Name != "" }

// covers reports whether what belongs at a place is in the table.
func (m *Checkpoint) covers(p spool.Place) bool {
	if diff.Phase(p.Phase).OfLists() {
		p.Key = m.Key
	}
	return m.begun() && p.Compare(m.Place) <= 0
}

// CheckpointKey is the key of the checkpoint: among the journal's pieces, and
// removed with them.
func CheckpointKey() store.Key {
	return store.Key{PK: records.JournalPK, SK: records.JournalPrefix + "mark"}
}

// ReadCheckpoint reads the checkpoint of a journal; nil if there isn't one, or if it
// belongs to another journal.
func ReadCheckpoint(ctx context.Context, table *store.Table, journal string) (*Checkpoint, error) {
	item, err := table.Get(ctx, CheckpointKey(), true)
	if err != nil || item == nil {
		return nil, err
	}
	m, err := store.Decode[Checkpoint](item)
	if err != nil || !m.Is(journal) {
		return nil, err
	}
	return m, nil
}

// Is reports whether the checkpoint is of a journal, and of this version's order.
func (m *Checkpoint) Is(journal string) bool { return m.Journal == journal && m.Order == writeOrder }

// write stores the checkpoint.
func (m *Checkpoint) write(ctx context.Context, table *store.Table) error {
	item, err := attributevalue.MarshalMap(m)
	if err != nil {
		return fmt.Errorf("encode checkpoint: %w", err)
	}
	return table.Write(ctx, []store.Write{{Key: CheckpointKey(), Item: item}})
}
