package store

import (
	"context"
	"maps"
	"slices"
)

// View is a DB whose keys lie elsewhere in the table: a Table with it reads the items of
// another layout by the keys of this one (package space).
type View struct {
	DB
	Out func(Key) Key // where a key lies in the table
	In  func(Key) Key // the inverse
	// Has reports whether Scan shows the item at a key of the table; nil: all.
	Has func(Key) bool
}

// moved is an item with another key.
func moved(item Item, to func(Key) Key) Item {
	if item == nil {
		return nil
	}
	item = maps.Clone(item)
	maps.Copy(item, to(KeyOf(item)).Item())
	return item
}

// shown is a reply by the keys of the view.
func (v *View) shown(out Reply, err error) (Reply, error) {
	items, left := make([]Item, len(out.Items)), make([]Key, len(out.Left))
	for i, item := range out.Items {
		items[i] = moved(item, v.In)
	}
	for i, k := range out.Left {
		left[i] = v.In(k)
	}
	out.Items, out.Left = items, left
	if out.Next != (Key{}) {
		out.Next = v.In(out.Next)
	}
	return out, err
}

// out is where a key of the view lies; the zero key stays.
func (v *View) out(k Key) Key {
	if k == (Key{}) {
		return k
	}
	return v.Out(k)
}

// Get implements DB.
func (v *View) Get(ctx context.Context, table string, keys []Key, consistent bool) (Reply, error) {
	there := make([]Key, len(keys))
	for i, k := range keys {
		there[i] = v.Out(k)
	}
	return v.shown(v.DB.Get(ctx, table, there, consistent))
}

// Write implements DB.
func (v *View) Write(ctx context.Context, table string, writes []Write) (Reply, error) {
	there := make([]Write, len(writes))
	for i, w := range writes {
		there[i] = Write{v.Out(w.Key), moved(w.Item, v.Out)}
	}
	return v.shown(v.DB.Write(ctx, table, there))
}

// Query implements DB.
func (v *View) Query(ctx context.Context, table string, q Query, after Key) (Reply, error) {
	q.PK = v.Out(Key{PK: q.PK}).PK
	return v.shown(v.DB.Query(ctx, table, q, v.out(after)))
}

// Scan implements DB.
func (v *View) Scan(ctx context.Context, table string, after Key) (Reply, error) {
	out, err := v.DB.Scan(ctx, table, v.out(after))
	if v.Has != nil {
		out.Items = slices.DeleteFunc(slices.Clone(out.Items), func(item Item) bool { return !v.Has(KeyOf(item)) })
	}
	return v.shown(out, err)
}
