package records

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store"
)

// table is a record of so many rows, with names that deflate badly.
func table(rows int, seed uint64) *TableRecord {
	r := rand.New(rand.NewPCG(seed, 1))
	record := &TableRecord{}
	for i := range rows {
		name := make([]byte, 60)
		for j := range name {
			name[j] = byte('!' + r.IntN(90)) //nolint:gosec // below 128
		}
		record.Rows = append(record.Rows, TableRow{Rank: i + 1, Team: TeamRef{
			ID: sport.IDFor(sport.KindTeam, fmt.Sprint(i)), Name: string(name), ShortName: "T",
		}})
	}
	return record
}

// tableItems are items of a table, read some at a time.
type tableItems struct {
	items map[store.Key]store.Item
	reads int
}

func (m *tableItems) get(_ context.Context, keys []store.Key) (map[store.Key]store.Item, error) {
	m.reads++
	found := map[store.Key]store.Item{}
	for _, k := range keys {
		if item, ok := m.items[k]; ok {
			found[k] = item
		}
	}
	return found, nil
}

func (m *tableItems) read(t *testing.T, key store.Key) (*TableRecord, error) {
	t.Helper()
	items, err := m.get(t.Context(), []store.Key{key})
	if err != nil {
		return nil, err
	}
	if items, err = Whole(t.Context(), items, m.get); err != nil {
		return nil, err
	}
	return store.Decode[TableRecord](items[key])
}

// put stores a record as the loader does, and returns the keys of its pieces.
func (m *tableItems) put(t *testing.T, key store.Key, record any) []store.Key {
	t.Helper()
	item, err := attributevalue.MarshalMap(record)
	if err != nil {
		t.Fatal(err)
	}
	head, pieces, err := Split(key, item)
	if err != nil {
		t.Fatal(err)
	}
	var keys []store.Key
	for _, w := range append(pieces, store.Write{Key: key, Item: head}) {
		if size := store.Size(w.Item); size > 400<<10 {
			t.Errorf("item %v has %d bytes", w.Key, size)
		}
		w.Item[store.PKName], _ = attributevalue.Marshal(w.Key.PK)
		w.Item[store.SKName], _ = attributevalue.Marshal(w.Key.SK)
		m.items[w.Key] = w.Item
		if w.Key != key {
			keys = append(keys, w.Key)
		}
	}
	return keys
}

func TestALargeRecordIsReadAsItWasWritten(t *testing.T) {
	for _, test := range []struct{ rows, pieces, reads int }{
		{rows: 100, pieces: 0, reads: 1},
		{rows: 3_000, pieces: 1, reads: 2},
		{rows: 10_000, pieces: 3, reads: 2},
	} {
		t.Run(fmt.Sprint(test.rows, " rows"), func(t *testing.T) {
			m := &tableItems{items: map[store.Key]store.Item{}}
			key, want := TableKey("c", CurrentTag), table(test.rows, 1)
			if pieces := m.put(t, key, want); len(pieces) != test.pieces {
				t.Errorf("%d pieces, want %d", len(pieces), test.pieces)
			}
			got, err := m.read(t, key)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if m.reads != test.reads {
				t.Errorf("%d reads, want %d", m.reads, test.reads)
			}
		})
	}
}

func TestARecordWithoutItsPiecesIsAnError(t *testing.T) {
	m := &tableItems{items: map[store.Key]store.Item{}}
	key := TableKey("c", CurrentTag)
	for _, piece := range m.put(t, key, table(3_000, 1)) {
		delete(m.items, piece)
	}
	if _, err := m.read(t, key); !errors.Is(err, ErrPieceMissing) {
		t.Errorf("fetch: %v", err)
	}
}

// A stub of as many pieces as a record may have is one, and no other.
func TestAStubHasAsManyPiecesAsARecordMayHave(t *testing.T) {
	for n, want := range map[int]int{-1: 0, 0: 0, 1: 1, maxPieces: maxPieces, maxPieces + 1: 0} {
		stub := TableKey("c", CurrentTag).Item()
		stub[piecesAttribute] = &types.AttributeValueMemberN{Value: strconv.Itoa(n)}
		stub[sumAttribute] = &types.AttributeValueMemberB{Value: []byte("12345678")}
		if got := len(Pieces(stub)); got != want {
			t.Errorf("%d pieces: %d keys, want %d", n, got, want)
		}
	}
}

func TestWhatNoPiecesHoldIsRefused(t *testing.T) {
	data := make([]byte, maxItem*maxPieces+1)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range data {
		data[i] = byte(r.Uint32()) //nolint:gosec // any byte, so that it does not deflate
	}
	item, err := attributevalue.MarshalMap(DetailRecord{Packed: data})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Split(TableKey("c", CurrentTag), item); !errors.Is(err, ErrTooLarge) {
		t.Errorf("split: %v", err)
	}
}
