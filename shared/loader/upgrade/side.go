package upgrade

import (
	"strings"
	"time"

	"touchline/shared/loader"
	"touchline/shared/store"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// side is a generation of the table as this build's code uses it: by its own keys.
type side struct {
	*store.View
	layout int
}

// former is the side of an earlier layout. Its version item cannot be read there: of
// what it says this build's code makes nothing.
func former(db store.DB, layout int) *side {
	prefix := space.Of(layout)
	return &side{layout: layout, View: &store.View{
		DB: db,
		Out: func(k store.Key) store.Key {
			return store.Key{PK: prefix + strings.TrimPrefix(k.PK, space.Prefix), SK: k.SK}
		},
		In: func(k store.Key) store.Key {
			return store.Key{PK: space.Prefix + strings.TrimPrefix(k.PK, prefix), SK: k.SK}
		},
		Has: func(k store.Key) bool { return in(layout, k) },
	}}
}

// building is the side of this build's layout while it is made: loads find and change its
// version where an upgrade keeps it.
func building(db store.DB) *side {
	swap := func(from, to store.Key) func(store.Key) store.Key {
		return func(k store.Key) store.Key {
			if k == from {
				return to
			}
			return k
		}
	}
	version, kept := records.VersionKey(), records.BuildingKey()
	return &side{layout: space.Layout, View: &store.View{DB: db, Out: swap(version, kept), In: swap(kept, version)}}
}

// in reports whether a key is of a layout.
func in(layout int, k store.Key) bool {
	if prefix := space.Of(layout); prefix != "" {
		return strings.HasPrefix(k.PK, prefix)
	}
	return k != records.VersionKey() && space.LayoutOf(k.PK) == 0
}

// table is the table of an upgrade, by the keys of a side.
func (u *Upgrade) table(s *side) *store.Table {
	t := *u.Table
	t.DB = s
	return &t
}

// holder is a loader that takes the lease of a layout for something else than a load, on
// a table with the keys as they are.
func (u *Upgrade) holder(table *store.Table, layout int) *loader.Loader {
	return &loader.Loader{
		Table: table, Lease: u.lease(former(table.DB, layout).Out(records.LockKey())), Progress: u.Progress, Patience: u.Patience,
	}
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
