package world

import (
	"iter"
	"maps"
	"reflect"
	"slices"
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
