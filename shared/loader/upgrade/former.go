package upgrade

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"touchline/shared/store"
	"touchline/shared/store/space"
)

// former is the data of an earlier layout, to be read by the keys of this build. The
// version item cannot be read there.
type former struct {
	store.DB
	prefix string // of its partition keys
}

// formerOf is a table with the data of a layout.
func formerOf(table *store.Table, layout int) *store.Table {
	t := *table
	t.DB = former{table.DB, space.Of(layout)}
	return &t
}

// there is where a key of this build lies.
func (f former) there(k store.Key) store.Key {
	return store.Key{PK: f.prefix + strings.TrimPrefix(k.PK, space.Prefix), SK: k.SK}
}

// here is the inverse of there.
func (f former) here(k store.Key) store.Key {
	return store.Key{PK: space.Prefix + strings.TrimPrefix(k.PK, f.prefix), SK: k.SK}
}

// shown is a reply by the keys of this build: the items of the layout. Where to go on is
// the database's own.
func (f former) shown(out store.Reply, err error) (store.Reply, error) {
	var items []store.Item
	for _, item := range out.Items {
		if key := store.KeyOf(item); strings.HasPrefix(key.PK, f.prefix) {
			item = maps.Clone(item)
			maps.Copy(item, f.here(key).Item())
			items = append(items, item)
		}
	}
	var left []store.Key
	for _, k := range out.Left {
		left = append(left, f.here(k))
	}
	out.Items, out.Left = items, left
	return out, err
}

// Get implements store.DB.
func (f former) Get(ctx context.Context, table string, keys []store.Key, consistent bool) (store.Reply, error) {
	there := make([]store.Key, len(keys))
	for i, k := range keys {
		there[i] = f.there(k)
	}
	return f.shown(f.DB.Get(ctx, table, there, consistent))
}

// Query implements store.DB.
func (f former) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	q.PK = f.there(store.Key{PK: q.PK}).PK
	return f.shown(f.DB.Query(ctx, table, q, after))
}

// Scan implements store.DB.
func (f former) Scan(ctx context.Context, table string, after store.Key) (store.Reply, error) {
	return f.shown(f.DB.Scan(ctx, table, after))
}

// Write implements store.DB: nobody writes former data.
func (former) Write(context.Context, string, []store.Write) (store.Reply, error) {
	return store.Reply{}, errors.New("former data are not written")
}

func (u *Upgrade) lease(key store.Key) *store.Lease {
	return &store.Lease{DB: u.Leases, Table: u.Table.Name, Key: key, Holder: u.Holder, Label: u.Label, Now: u.now, Meter: u.Table.Meter}
}

func (u *Upgrade) now() time.Time {
	if u.Now == nil {
		return time.Now()
	}
	return u.Now()
}

func (u *Upgrade) say(what string, done, all int) {
	if u.Progress != nil {
		u.Progress(what, done, all)
	}
}
