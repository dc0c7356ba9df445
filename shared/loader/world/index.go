package world

import (
	"iter"
	"slices"
)

// index is a set of members per key in both views. The zero value is empty.
type index[K, M comparable] struct {
	stored  map[K]*memberSet[M] // present: looked up
	added   map[K]*memberSet[M]
	removed map[K]*memberSet[M]
}

// memberSet is a set. Nearly all have a few members, which take a tenth of the
// memory of a map.
type memberSet[M comparable] struct {
	few  []M
	many map[M]struct{} // instead of few
}

// fewMembers is how many members are searched one after the other.
const fewMembers = 16

func (s *memberSet[M]) has(m M) bool {
	if s == nil {
		return false
	}
	if s.many != nil {
		_, ok := s.many[m]
		return ok
	}
	return slices.Contains(s.few, m)
}

func (s *memberSet[M]) add(m M) {
	switch {
	case s.many != nil:
		s.many[m] = struct{}{}
	case slices.Contains(s.few, m):
	case len(s.few) < fewMembers:
		s.few = append(s.few, m)
	default:
		s.many = make(map[M]struct{}, 2*fewMembers)
		for _, x := range s.few {
			s.many[x] = struct{}{}
		}
		s.many[m], s.few = struct{}{}, nil
	}
}

func (s *memberSet[M]) remove(m M) {
	if s == nil {
		return
	}
	delete(s.many, m)
	if i := slices.Index(s.few, m); i >= 0 {
		s.few = slices.Delete(s.few, i, i+1)
	}
}

// all yields the members, in no order.
func (s *memberSet[M]) all(yield func(M) bool) {
	if s == nil {
		return
	}
	for m := range s.many {
		if !yield(m) {
			return
		}
	}
	for _, m := range s.few {
		if !yield(m) {
			return
		}
	}
}

func (x *index[K, M]) known(key K) bool {
	_, ok := x.stored[key]
	return ok
}

// put notes members that the table holds.
func (x *index[K, M]) put(key K, all ...M) {
	set := at(&x.stored, key)
	for _, m := range all {
		set.add(m)
	}
}

// take notes those members that another index knows and accept accepts.
func (x *index[K, M]) take(from *index[K, M], accept func(M) bool) {
	for key, members := range from.stored {
		for m := range members.all {
			if accept(m) {
				x.put(key, m)
			}
		}
	}
}

func at[K, M comparable](sets *map[K]*memberSet[M], key K) *memberSet[M] {
	set := (*sets)[key]
	if set == nil {
		set = &memberSet[M]{}
		assign(sets, key, set)
	}
	return set
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
	x.removed[key].remove(m)
	at(&x.added, key).add(m)
}

func (x *index[K, M]) Remove(key K, m M) {
	x.added[key].remove(m)
	at(&x.removed, key).add(m)
}

// In yields the members in a view, in no order.
func (x *index[K, M]) In(v View, key K) iter.Seq[M] {
	return func(yield func(M) bool) {
		stored, removed := x.stored[key], x.removed[key]
		for m := range stored.all {
			if (v == Before || !removed.has(m)) && !yield(m) {
				return
			}
		}
		if v == After {
			for m := range x.added[key].all {
				if !stored.has(m) && !yield(m) {
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
			for m := range stored.all {
				if !yield(m) {
					return
				}
			}
			for m := range x.added[key].all {
				if !stored.has(m) && !yield(m) {
					return
				}
			}
		}
	}
}
