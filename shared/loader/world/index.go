package world

import (
	"iter"
	"maps"
	"slices"

	"touchline/shared/sport"
)

// index is a set of members per key in both views. The zero value is empty.
type index[K, M comparable] struct {
	stored  map[K]Set[M]
	changed map[K]map[M]bool // false: it will be no member
}

// put notes a member that the table holds.
func (x *index[K, M]) put(key K, m M) {
	set := x.stored[key]
	set.Add(m)
	assign(&x.stored, key, set)
}

// Add and Remove note a change.
func (x *index[K, M]) Add(key K, m M)    { x.change(key, m, true) }
func (x *index[K, M]) Remove(key K, m M) { x.change(key, m, false) }

func (x *index[K, M]) change(key K, m M, is bool) {
	members := x.changed[key]
	assign(&members, m, is)
	assign(&x.changed, key, members)
}

// In yields the members in a view, in no order.
func (x *index[K, M]) In(v View, key K) iter.Seq[M] {
	return func(yield func(M) bool) {
		stored, changed := x.stored[key], x.changed[key]
		for m := range stored {
			if is, changes := changed[m]; (v == Before || is || !changes) && !yield(m) {
				return
			}
		}
		for m, is := range changed {
			if v == After && is && !stored.Has(m) && !yield(m) {
				return
			}
		}
	}
}

// Both yields every member that keys have in either view.
func (x *index[K, M]) Both(keys ...K) iter.Seq[M] {
	return func(yield func(M) bool) {
		for _, key := range keys {
			for m := range x.In(Before, key) {
				if !yield(m) {
					return
				}
			}
			for m := range x.In(After, key) {
				if !x.stored[key].Has(m) && !yield(m) {
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

// Set is a set of keys. The zero value is empty.
type Set[K comparable] map[K]struct{}

func (s Set[K]) Has(k K) bool { _, ok := s[k]; return ok }

func (s *Set[K]) Add(keys ...K) { s.AddAll(slices.Values(keys)) }

// AddAll adds what a sequence yields.
func (s *Set[K]) AddAll(keys iter.Seq[K]) {
	for k := range keys {
		assign((*map[K]struct{})(s), k, struct{}{})
	}
}

func (s Set[K]) Keys() []K { return slices.Collect(maps.Keys(s)) }

// New adds what a sequence yields, and returns what the set did not hold before.
func (s *Set[K]) New(keys iter.Seq[K]) []K {
	var added []K
	for k := range keys {
		if !s.Has(k) {
			s.Add(k)
			added = append(added, k)
		}
	}
	return added
}

// CompetitionsIn are the competitions that the seasons are of.
func CompetitionsIn(seasons []SeasonID) Set[sport.ID] {
	ids := Set[sport.ID]{}
	for _, s := range seasons {
		ids.Add(s.ID)
	}
	return ids
}

// assign sets a key of a map, which it makes for the first.
func assign[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}
