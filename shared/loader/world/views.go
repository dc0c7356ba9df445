package world

import (
	"iter"
	"maps"
	"reflect"
	"slices"

	"touchline/shared/sport"
)

// Entities are the records of a kind in both views. The zero value is empty.
type Entities[K comparable, T any] struct {
	stored  map[K]*T // nil value: known not to be there
	changed map[K]*T // nil value: deleted
}

// At returns a record as it is in a view, nil if it does not exist there.
func (e *Entities[K, T]) At(v View, id K) *T {
	if v == After {
		if t, ok := e.changed[id]; ok {
			return t
		}
	}
	return e.stored[id]
}

// Views yields a record as it is in each view, as far as it exists there.
func (e *Entities[K, T]) Views(id K) iter.Seq2[View, *T] {
	return func(yield func(View, *T) bool) {
		for _, v := range []View{Before, After} {
			if t := e.At(v, id); t != nil && !yield(v, t) {
				return
			}
		}
	}
}

// Both yields the Views of records one after the other.
func (e *Entities[K, T]) Both(ids ...K) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for _, id := range ids {
			for _, t := range e.Views(id) {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// Forget takes back that a record was read: one that does not change and that
// nothing else has asked for.
func (e *Entities[K, T]) Forget(id K) { delete(e.stored, id) }

// Change notes what a record will be; nil: deleted.
func (e *Entities[K, T]) Change(id K, is *T) { assign(&e.changed, id, is) }

// Renew changes a record in the view after; one that stays as it is does not change.
func (e *Entities[K, T]) Renew(id K, change func(*T)) {
	if was := e.At(After, id); was != nil {
		is := *was
		if change(&is); !reflect.DeepEqual(*was, is) {
			e.Change(id, &is)
		}
	}
}

// put notes what the table holds; nil: no such record.
func (e *Entities[K, T]) put(id K, was *T) { assign(&e.stored, id, was) }

// Changes are the ids of the records that change.
func (e *Entities[K, T]) Changes() []K { return slices.Collect(maps.Keys(e.changed)) }

// WillChange reports whether a record changes.
func (e *Entities[K, T]) WillChange(id K) bool { _, ok := e.changed[id]; return ok }

// Fetched reports whether a record was looked up, stored or not.
func (e *Entities[K, T]) Fetched(id K) bool {
	_, ok := e.stored[id]
	return ok
}

// members is a set of members per key in both views. The zero value is empty.
type members[K, M comparable] struct {
	stored  map[K]Set[M]
	changed map[K]map[M]bool // false: it will be no member
}

// put notes a member that the table holds.
func (x *members[K, M]) put(key K, m M) {
	set := x.stored[key]
	set.Add(m)
	assign(&x.stored, key, set)
}

// Add and Remove note a change.
func (x *members[K, M]) Add(key K, m M)    { x.change(key, m, true) }
func (x *members[K, M]) Remove(key K, m M) { x.change(key, m, false) }

func (x *members[K, M]) change(key K, m M, is bool) {
	members := x.changed[key]
	assign(&members, m, is)
	assign(&x.changed, key, members)
}

// In yields the members in a view, in no order.
func (x *members[K, M]) In(v View, key K) iter.Seq[M] {
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
func (x *members[K, M]) Both(keys ...K) iter.Seq[M] {
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
func (x *members[K, M]) Any(v View, key K, f func(M) bool) bool {
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
