package upgrade_test

import (
	"context"
	"maps"

	"touchline/shared/store"
)

// view is a DB whose keys lie elsewhere in the table: a loader with it writes the items of
// another layout.
type view struct {
	store.DB
	Out func(store.Key) store.Key // where a key lies in the table
	In  func(store.Key) store.Key // the inverse
}

// shown is a reply by the keys of the view.
func (v *view) shown(out store.Reply, err error) (store.Reply, error) {
	items, left := make([]store.Item, len(out.Items)), make([]store.Key, len(out.Left))
	for i, item := range out.Items {
		items[i] = moved(item, v.In)
	}
	for i, k := range out.Left {
		left[i] = v.In(k)
	}
	out.Items, out.Left = items, left
	return out, err
}

// moved is an item with another key.
func moved(item store.Item, to func(store.Key) store.Key) store.Item {
	if item == nil {
		return nil
	}
	item = maps.Clone(item)
	maps.Copy(item, to(store.KeyOf(item)).Item())
	return item
}

func (v *view) Get(ctx context.Context, table string, keys []store.Key, consistent bool) (store.Reply, error) {
	there := make([]store.Key, len(keys))
	for i, k := range keys {
		there[i] = v.Out(k)
	}
	return v.shown(v.DB.Get(ctx, table, there, consistent))
}

func (v *view) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	there := make([]store.Write, len(writes))
	for i, w := range writes {
		there[i] = store.Write{Key: v.Out(w.Key), Item: moved(w.Item, v.Out)}
	}
	return v.shown(v.DB.Write(ctx, table, there))
}

func (v *view) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	q.PK = v.Out(store.Key{PK: q.PK}).PK
	return v.shown(v.DB.Query(ctx, table, q, after))
}
