package upgrade

import (
	"context"
	"errors"
	"slices"

	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// Drop removes the data of a layout that is not open, or what an upgrade to this layout
// has left, if it is not to be finished. It returns how many items it removed.
// Killed, it may be repeated (generation.Listed.Removing); an upgrade to the layout waits
// for that.
func (u *Upgrade) Drop(ctx context.Context, layout int) (items int, err error) {
	all, err := generation.List(ctx, u.Table)
	if err != nil {
		return 0, err
	}
	leases := []int{layout} // under that of the open one the version item is written
	for _, g := range all {
		if g.Moved == 0 && !g.Removing && g.Layout != layout {
			leases = append(leases, g.Layout)
		}
	}
	slices.Sort(leases)
	err = u.holding(ctx, u.Table, leases, layout, func(ctx context.Context, table *store.Table, _ int) error {
		if err := generation.Forget(ctx, table, layout); err != nil {
			return err
		}
		if items, err = u.remove(ctx, table, layout); err != nil {
			return err
		}
		return generation.Removed(ctx, table, layout)
	})
	return items, err
}

// holding does something under the leases of layouts; last is the number of the last
// load of the last of them. That a load of the one that is to be removed, if any, was
// interrupted does not matter.
func (u *Upgrade) holding(ctx context.Context, table *store.Table, layouts []int, removed int, do func(ctx context.Context, table *store.Table, last int) error) error {
	return u.holder(table, layouts[0]).Hold(ctx, layouts[0] == removed, func(ctx context.Context, table *store.Table, last int) error {
		if len(layouts) == 1 {
			return do(ctx, table, last)
		}
		return u.holding(ctx, table, layouts[1:], removed, do)
	})
}

// remove removes the items of a layout, the lease of it last.
func (u *Upgrade) remove(ctx context.Context, table *store.Table, layout int) (items int, err error) {
	last := []store.Write{{Key: former(table.DB, layout).Out(records.LockKey())}}
	if layout == space.Layout {
		if err := generation.Condemn(ctx, table); err != nil {
			return 0, err
		}
		last = append(last, store.Write{Key: records.BuildingKey()})
	}
	w := table.Writer(ctx)
	err = table.Scan(ctx, func(item store.Item) error {
		write := store.Write{Key: store.KeyOf(item)}
		if !in(layout, write.Key) {
			return nil
		}
		if items++; items%1000 == 0 {
			u.say("removing items", items, 0)
		}
		if slices.ContainsFunc(last, func(l store.Write) bool { return l.Key == write.Key }) {
			return nil
		}
		return w.Put(write)
	})
	if err = errors.Join(err, w.Close()); err != nil {
		return items, err
	}
	return items, table.Write(ctx, last)
}
