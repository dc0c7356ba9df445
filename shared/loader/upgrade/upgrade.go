package upgrade

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// Upgrade makes the data of this build's layout from those of an earlier one. The lease of
// the Loader is that of this build's data; an upgrade takes that of the data that are open.
type Upgrade struct{ *loader.Loader }

// Report is what an upgrade has done.
type Report struct {
	From    int `json:"from"`
	To      int `json:"to"`
	Records int `json:"records"` // source records of the table
}

// ErrCurrent is the error of a table whose data are of this build's layout.
var ErrCurrent = errors.New("the data are of this version's layout: there is nothing to upgrade")

// From is the layout whose data an upgrade of the table would read. The error is
// ErrCurrent, or *generation.OtherError or *generation.MovedError where there is nothing
// that an upgrade could read.
func From(ctx context.Context, table *store.Table) (layout int, err error) {
	state, err := generation.Read(ctx, table)
	other, foreign := errors.AsType[*generation.OtherError](err)
	switch {
	case foreign && other.Upgradable():
		return other.Open, nil
	case err != nil:
		return 0, err
	case state.Moved == 0:
		return 0, ErrCurrent
	case state.Moved > space.Layout:
		return 0, &generation.MovedError{Table: table.Name, To: state.Moved}
	}
	return state.Moved, nil // somebody went back to it
}

// Run upgrades the table. Other errors than those of From are those of a load; it may be
// repeated.
func (u *Upgrade) Run(ctx context.Context) (*Report, error) {
	from, err := From(ctx, u.Table)
	if err != nil {
		return nil, err
	}
	report := &Report{From: from, To: space.Layout}
	return report, u.holding(ctx, from, func(ctx context.Context, table *store.Table, _ int) error {
		if err := generation.Suspend(ctx, table, space.Layout); err != nil {
			return err
		}
		l := &loader.Loader{Table: table, Progress: u.Progress, Now: u.Now}
		if report.Records, err = l.Rebuild(ctx, func(item store.Item) store.Item { return here(item, from) }); err != nil {
			return err
		}
		if err := takeOver(ctx, table, from); err != nil {
			return err
		}
		return generation.Switch(ctx, table, space.Layout, u.Lease.Now())
	})
}

// there is where a key of this build lies in the data of a layout.
func there(k store.Key, layout int) store.Key {
	return store.Key{PK: space.Of(layout) + strings.TrimPrefix(k.PK, space.Prefix), SK: k.SK}
}

// here is an item of the data of a layout under the key that this build has for it; nil for
// another item.
func here(item store.Item, layout int) store.Item {
	key := store.KeyOf(item)
	rest, ok := strings.CutPrefix(key.PK, space.Of(layout))
	if !ok {
		return nil
	}
	item = maps.Clone(item)
	maps.Copy(item, store.Key{PK: space.Prefix + rest, SK: key.SK}.Item())
	return item
}

// takeOver gives the data that were made what those of a layout keep of loads, in the place
// of what is there: the history, the mark of the last one, and what was erased.
func takeOver(ctx context.Context, table *store.Table, from int) error {
	own, err := table.Query(ctx, store.Query{PK: records.JournalPK, Consistent: true})
	if err != nil {
		return err
	}
	kept, err := table.Query(ctx, store.Query{PK: there(store.Key{PK: records.JournalPK}, from).PK, Consistent: true})
	if err != nil {
		return err
	}
	var writes []store.Write // of two for a key the last one counts
	for _, item := range own {
		writes = append(writes, store.Write{Key: store.KeyOf(item)})
	}
	for _, item := range kept {
		item = here(item, from)
		key := store.KeyOf(item)
		if strings.HasPrefix(key.SK, records.JournalPrefix) {
			continue // no load needs it any more
		}
		if key == records.LockKey() {
			store.FreeLease(item)
		}
		writes = append(writes, store.Write{Key: key, Item: item})
	}
	return table.Write(ctx, writes)
}

// Back opens the data of the layout before this one again, and returns the loads since,
// which they do not have: the newest first, as far as they are kept, and how many there
// were.
func (u *Upgrade) Back(ctx context.Context) (to int, since []history.Past, loads int, err error) {
	err = u.holding(ctx, space.Layout, func(ctx context.Context, table *store.Table, number int) error {
		all, err := generation.List(ctx, table)
		if err != nil {
			return err
		}
		for _, g := range all {
			if g.Layout < space.Layout && !g.Partial {
				to = g.Layout
			}
		}
		if to == 0 {
			return fmt.Errorf("table %s has no data that were upgraded to layout %d: there is nothing to go back to", table.Name, space.Layout)
		}
		_, item, err := store.ReadLease(ctx, table, there(records.LockKey(), to))
		if err != nil {
			return err
		}
		last, err := history.MarkOf(item)
		if err != nil {
			return err
		}
		loads = number - last.Number
		if since, err = loader.Loads(ctx, u.Table, history.Range{From: last.Number + 1}); err != nil {
			return err
		}
		return generation.Switch(ctx, table, to, u.Lease.Now())
	})
	return to, since, loads, err
}

// holding does something under the lease of the data that are open, those of the layout;
// last is the number of their last load.
func (u *Upgrade) holding(ctx context.Context, layout int, do func(ctx context.Context, table *store.Table, last int) error) error {
	l := *u.Loader
	l.Lease = &store.Lease{
		DB: u.Lease.DB, Table: u.Table.Name, Key: there(records.LockKey(), layout),
		Holder: u.Lease.Holder, Label: "an upgrade by " + u.Lease.Label, Now: u.Lease.Now, Meter: u.Table.Meter,
	}
	return l.Alone(ctx, func(ctx context.Context, lock *journal.Lock) error {
		if lock.Header != nil {
			return loader.ErrUnfinished
		}
		open, err := openOf(ctx, lock.Table)
		if err == nil && open != layout {
			err = fmt.Errorf("layout %d of table %s is not open", layout, lock.Table.Name)
		}
		if err != nil {
			return err
		}
		return do(ctx, lock.Table, lock.Last.Number)
	})
}

// openOf is the layout that is open; 0: none is.
func openOf(ctx context.Context, table *store.Table) (layout int, err error) {
	all, err := generation.List(ctx, table)
	for _, g := range all {
		if g.Open {
			layout = g.Layout
		}
	}
	return layout, err
}

// Drop removes the data of a layout that is not open, or what an upgrade that was killed
// has left. It returns how many items it removed. Killed, it may be repeated.
func (u *Upgrade) Drop(ctx context.Context, layout int) (items int, err error) {
	all, err := generation.List(ctx, u.Table)
	if err != nil {
		return 0, err
	}
	if !slices.ContainsFunc(all, func(g generation.Listed) bool { return g.Layout == layout }) {
		return 0, fmt.Errorf("table %s has no data of layout %d", u.Table.Name, layout)
	}
	open, err := openOf(ctx, u.Table)
	if err != nil {
		return 0, err
	}
	err = u.holding(ctx, open, func(ctx context.Context, table *store.Table, _ int) error {
		if err := generation.Suspend(ctx, table, layout); err != nil {
			return err
		}
		if items, err = u.remove(ctx, table, layout); err != nil {
			return err
		}
		return generation.Gone(ctx, table, layout)
	})
	return items, err
}

func (u *Upgrade) remove(ctx context.Context, table *store.Table, layout int) (items int, err error) {
	w := table.Writer(ctx)
	err = table.Scan(ctx, func(item store.Item) error {
		key := store.KeyOf(item)
		if !strings.HasPrefix(key.PK, space.Of(layout)) {
			return nil
		}
		if items++; items%1000 == 0 && u.Progress != nil {
			u.Progress("removing items", items, 0)
		}
		return w.Put(store.Write{Key: key})
	})
	return items, errors.Join(err, w.Close())
}
