package keystest

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"touchline/shared/keys"
)

// Memory is a keys.Store in the memory of this process. The zero value is empty and
// ready to use.
type Memory struct {
	mu   sync.Mutex
	keys map[string]keys.Key
}

// Get returns the record with that id, or ErrUnknown.
func (m *Memory) Get(_ context.Context, id string) (keys.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.keys[id]
	if !ok {
		return keys.Key{}, keys.ErrUnknown
	}
	return k.Clone(), nil
}

// List returns every record, in the order of Store.List.
func (m *Memory) List(context.Context) ([]keys.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]keys.Key, 0, len(m.keys))
	for _, k := range m.keys {
		k = k.Clone()
		if k.Current.Sealed = nil; k.Previous != nil {
			k.Previous.Sealed = nil
		}
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b keys.Key) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// Put stores the next version of a key, or returns ErrConflict.
func (m *Memory) Put(_ context.Context, k keys.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keys[k.ID].Version != k.Version {
		return keys.ErrConflict
	}
	if m.keys == nil {
		m.keys = make(map[string]keys.Key)
	}
	k = k.Clone()
	k.Version++
	m.keys[k.ID] = k
	return nil
}
