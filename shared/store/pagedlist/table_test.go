package pagedlist

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// memory is a table in memory that counts what a read costs: items by started 4096
// bytes, half a unit each. It makes writes one by one, in order.
type memory struct {
	mu    sync.Mutex
	items map[store.Key]store.Item

	reads, writes       []store.Key
	trips               int
	readUnits, putUnits float64
	left                int             // writes until it dies; -1: it does not
	wrote               func(store.Key) // called after each write; may be nil
}

func newMemory() *memory { return &memory{items: map[store.Key]store.Item{}, left: -1} }

var errKilled = errors.New("killed")

func (m *memory) BatchGet(_ context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trips++
	found := map[store.Key]store.Item{}
	for _, key := range keys {
		m.reads = append(m.reads, key)
		item, ok := m.items[key]
		if m.readUnits += max(0.5, float64((store.Size(item)+4095)/4096)/2); ok {
			found[key] = item
		}
	}
	return found, nil
}

func (m *memory) Query(_ context.Context, q store.Query) ([]store.Item, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []store.Item
	for key, item := range m.items {
		if key.PK == q.PK {
			all = append(all, item)
		}
	}
	slices.SortFunc(all, func(a, b store.Item) int { return cmp.Compare(store.KeyOf(a).SK, store.KeyOf(b).SK) })
	return all, nil
}

func (m *memory) Write(_ context.Context, writes []store.Write) error {
	for _, w := range writes {
		if err := m.write(w); err != nil {
			return err
		}
		if m.wrote != nil {
			m.wrote(w.Key)
		}
	}
	return nil
}

func (m *memory) write(w store.Write) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left == 0 {
		return errKilled
	}
	m.left--
	m.writes = append(m.writes, w.Key)
	m.putUnits += float64(max(1, (max(store.Size(w.Item), store.Size(m.items[w.Key]))+1023)/1024))
	if w.Item == nil {
		delete(m.items, w.Key)
		return nil
	}
	item := maps.Clone(w.Item)
	item[store.PKName], item[store.SKName] = text(w.Key.PK), text(w.Key.SK)
	m.items[w.Key] = item
	return nil
}

// reset begins to count.
func (m *memory) reset() {
	m.reads, m.writes, m.trips, m.readUnits, m.putUnits = nil, nil, 0, 0, 0
}

// clone is another table with the same items.
func (m *memory) clone() *memory {
	return &memory{items: maps.Clone(m.items), left: -1}
}

// sameItems fails where two tables hold different items.
func sameItems(t *testing.T, want, got *memory) {
	t.Helper()
	for key, item := range want.items {
		if other, ok := got.items[key]; !ok || !same(other, plain(item)) {
			t.Fatalf("%s %s is not what it should be: there %v", key.PK, key.SK, ok)
		}
	}
	for key := range got.items {
		if _, ok := want.items[key]; !ok {
			t.Fatalf("%s %s should not be there", key.PK, key.SK)
		}
	}
}

func plain(item store.Item) store.Item {
	item = maps.Clone(item)
	delete(item, store.PKName)
	delete(item, store.SKName)
	return item
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
