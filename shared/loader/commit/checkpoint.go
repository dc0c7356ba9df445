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
// in each set the lists by name; and items by key. The first phases change
// nothing that the view before is read from, so a load that is repeated finds
// the same changes. In later phases it finds fewer; those that it no longer finds
// are in the table.
type Checkpoint struct {
	Journal string `dynamodbav:"j"` // id of the journal
	Order   int    `dynamodbav:"o"` // writeOrder
	Phase   byte   `dynamodbav:"p"`
	Set     byte   `dynamodbav:"s"`
	// Name and Key are those of the last item written. Of lists only the name
	// counts: that of the last one that is complete.
	Name string `dynamodbav:"n,omitempty"`
	Key  []byte `dynamodbav:"k,omitempty"`
}

// writeOrder is the version of the order of writes and of the numbers of the
// sets of lists. A checkpoint of another version is ignored; its writes are
// repeated.
const writeOrder = 4

// begun reports whether there is a place: a load without one has to begin again.
func (m *Checkpoint) begun() bool { return m.Name != "" }

// covers reports whether what belongs at a place is in the table.
func (m *Checkpoint) covers(p spool.Place) bool {
	if !m.begun() {
		return false
	}
	at := spool.Place{Phase: m.Phase, Set: m.Set, Name: m.Name, Key: m.Key}
	if diff.Phase(p.Phase).OfLists() {
		p.Key = at.Key
	}
	return p.Compare(at) <= 0
}

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
	if err != nil || !m.Is(journal) {
		return nil, err
	}
	return m, nil
}

// Reached says up to where the writes of a journal are in the table, as far as its
// checkpoint knows; empty: there isn't one.
func Reached(ctx context.Context, table *store.Table, journal string) (string, error) {
	item, err := table.Get(ctx, CheckpointKey(), true)
	if err != nil {
		return "", err
	}
	m, err := readCheckpoint(item, journal)
	if err != nil || m == nil {
		return "", err
	}
	return fmt.Sprintf("%d/%d/%s/%x", m.Phase, m.Set, m.Name, m.Key), nil
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
