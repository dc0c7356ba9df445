package upgrade

import (
	"strings"
	"time"

	"touchline/shared/store"
	"touchline/shared/store/space"
)

// former is the data of an earlier layout by the keys of this build. Its version item
// cannot be read there.
func former(db store.DB, layout int) *store.View {
	prefix := space.Of(layout)
	swap := func(from, to string) func(store.Key) store.Key {
		return func(k store.Key) store.Key { return store.Key{PK: to + strings.TrimPrefix(k.PK, from), SK: k.SK} }
	}
	return &store.View{
		DB: db, Out: swap(space.Prefix, prefix), In: swap(prefix, space.Prefix),
		Has: func(k store.Key) bool { return strings.HasPrefix(k.PK, prefix) },
	}
}

// on is a table by the keys of a view.
func on(table *store.Table, view *store.View) *store.Table {
	t := *table
	t.DB = view
	return &t
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
