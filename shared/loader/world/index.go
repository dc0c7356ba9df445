package world

import "iter"

// index is a set of members per key in both views. The zero value is empty.
type index[K, M comparable] struct {
	stored  map[K]Set[M]
	added   map[K]Set[M]
	removed map[K]Set[M]
}

// put notes a member that the table holds.
func (x *index[K, M]) put(key K, m M) { note(&x.stored, key, m) }

// note adds a member to the set of a key.
func note[K, M comparable](sets *map[K]Set[M], key K, m M) {
	set := (*sets)[key]
	set.Add(m)
	assign(sets, key, set)
}

// assign sets a key of a map, which it makes for the first.
func assign[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}

// Add and remove note a change.
func (x *index[K, M]) Add(key K, m M) {
	delete(x.removed[key], m)
	note(&x.added, key, m)
}

func (x *index[K, M]) Remove(key K, m M) {
	delete(x.added[key], m)
	note(&x.removed, key, m)
}

// In yields the members in a view, in no order.
func (x *index[K, M]) In(v View, key K) iter.Seq[M] {
	return func(yield func(M) bool) {
		stored, removed := x.stored[key], x.removed[key]
		for m := range stored {
			if (v == Before || !removed.Has(m)) && !yield(m) {
				return
			}
		}
		if v == After {
			for m := range x.added[key] {
				if !stored.Has(m) && !yield(m) {
					return
				}
			}
		}
	}
}

// Any reports whether there is a member in a view that f accepts.
func (x *index[K, M]) Any(v View, key K, f func(M) bool) bool {
	for m := range x.In(v, key) {
		if f(m) {
			return true
		}
	}
	return false
}

// Both yields every member that keys have in either view.
func (x *index[K, M]) Both(keys ...K) iter.Seq[M] {
	return func(yield func(M) bool) {
		for _, key := range keys {
			stored := x.stored[key]
			for m := range stored {
				if !yield(m) {
					return
				}
			}
			for m := range x.added[key] {
				if !stored.Has(m) && !yield(m) {
					return
				}
			}
		}
	}
}
