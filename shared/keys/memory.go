package keys

import (
	"context"
	"sync"
)

// Memory is a Store in the memory of this process. The zero value is empty and
// ready to use.
type Memory struct {
	mu   sync.Mutex
	keys map[string]Key
}

// Get returns the record with that id, or ErrUnknown.
func (m *Memory) Get(_ context.Context, id string) (Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.keys[id]
	if !ok {
		return Key{}, ErrUnknown
	}
	return k.clone(), nil
}

// List returns every record, in the order of Store.List.
func (m *Memory) List(context.Context) ([]Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Key, 0, len(m.keys))
	for _, k := range m.keys {
		list = append(list, k.clone().withoutSealed())
	}
	sortKeys(list)
	return list, nil
}

// Put stores the next version of a key, or returns ErrConflict.
func (m *Memory) Put(_ context.Context, k Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keys[k.ID].Version != k.Version {
		return ErrConflict
	}
	if m.keys == nil {
		m.keys = make(map[string]Key)
	}
	k = k.clone()
	k.Version++
	m.keys[k.ID] = k
	return nil
}
