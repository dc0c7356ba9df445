package affected

import (
	"context"
	"iter"
	"reflect"
	"slices"
	"strings"

	"touchline/shared/loader/world"
)

// edge leads from a set of records to others, and fetches what is on the way.
type edge struct {
	walk   func(context.Context)
	of     reflect.Type // whose fields are a condition; nil: no condition
	fields []string
}

// relation yields what belongs to records or is named by them, in either view. It fetches
// what says so.
type relation[A, B comparable] = func(context.Context, []A) iter.Seq[B]

func walk(ctx context.Context, edges []edge) {
	for _, e := range edges {
		e.walk(ctx)
	}
}

// along leads along a relation; to nothing, it fetches what the relation does.
func along[A, B comparable](from *world.Set[A], by relation[A, B], to ...*world.Set[B]) edge {
	return where(condition[A]{}, from, by, to...)
}

// where leads along a relation from the records of which a condition holds.
func where[A, B comparable](c condition[A], from *world.Set[A], by relation[A, B], to ...*world.Set[B]) edge {
	walked := 0
	return edge{of: c.of, fields: c.fields, walk: func(ctx context.Context) {
		if walked == len(*from) { // sets only grow
			return
		}
		walked = len(*from)
		keys := from.Keys()
		if c.holds != nil {
			keys = slices.DeleteFunc(keys, func(k A) bool { return !c.holds(k) })
		}
		found := by(ctx, keys)
		for _, set := range to {
			set.AddAll(found)
		}
	}}
}

// closure leads along a relation again and again.
func closure[A comparable](set *world.Set[A], by relation[A, A]) edge {
	return then(func(ctx context.Context) {
		for next := set.Keys(); len(next) > 0; {
			next = set.New(by(ctx, next))
		}
	})
}

// read fetches what is on lists of the records of a set.
func read[A comparable](from *world.Set[A], by func(context.Context, []A)) edge {
	return then(func(ctx context.Context) { by(ctx, from.Keys()) })
}

// then does what no relation says.
func then(do func(context.Context)) edge { return edge{walk: do} }

// same is the relation of records to themselves.
func same[A comparable](_ context.Context, keys []A) iter.Seq[A] { return slices.Values(keys) }

// through leads along a relation, and from there to what f says.
func through[A, B, C comparable](by relation[A, B], f func(B) C) relation[A, C] {
	return func(ctx context.Context, keys []A) iter.Seq[C] {
		return func(yield func(C) bool) {
			for b := range by(ctx, keys) {
				if !yield(f(b)) {
					return
				}
			}
		}
	}
}

// condition is what has to hold of a record. The zero value always holds.
type condition[A comparable] struct {
	holds  func(A) bool
	of     reflect.Type
	fields []string
}

// when is that something else holds.
func when[A comparable](holds func(A) bool) condition[A] { return condition[A]{holds: holds} }

// either is that something holds of a record in one of the views.
func either[K comparable, T any](e *world.Entities[K, T], holds func(*T) bool) condition[K] {
	return when(func(id K) bool {
		for t := range e.Both(id) {
			if holds(t) {
				return true
			}
		}
		return false
	})
}

// change is that one of these fields of a record differs between the views, or that the
// record is in one view only. A dot leads to a field of a field; Public is whether anybody
// may see the record.
func change[K comparable, T any](e *world.Entities[K, T], fields ...string) condition[K] {
	paths := make([][]string, len(fields))
	for i, f := range fields {
		paths[i] = strings.Split(f, ".")
	}
	return condition[K]{of: reflect.TypeFor[T](), fields: fields, holds: func(id K) bool {
		was, is := e.At(world.Before, id), e.At(world.After, id)
		if was == nil || is == nil {
			return was != is
		}
		return was != is && slices.ContainsFunc(paths, func(path []string) bool {
			return !reflect.DeepEqual(at(was, path), at(is, path))
		})
	}}
}

// at is the value of a field.
func at(record any, path []string) any {
	if r, ok := record.(interface{ Public() bool }); ok && path[0] == "Public" {
		return r.Public()
	}
	v := reflect.ValueOf(record).Elem()
	for _, name := range path {
		v = v.FieldByName(name)
	}
	return v.Interface()
}
