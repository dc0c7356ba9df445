package upgrade

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/space"
)

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
		if _, err := generation.Part(ctx, table, layout); err != nil {
			return err
		}
		if items, err = u.remove(ctx, table, layout); err != nil {
			return err
		}
		return generation.Gone(ctx, table, layout)
	})
	return items, err
}

// remove removes the items of a layout.
func (u *Upgrade) remove(ctx context.Context, table *store.Table, layout int) (items int, err error) {
	w := table.Writer(ctx)
	err = table.Scan(ctx, func(item store.Item) error {
		key := store.KeyOf(item)
		if !strings.HasPrefix(key.PK, space.Of(layout)) {
			return nil
		}
		if items++; items%1000 == 0 {
			u.say("removing items", items, 0)
		}
		return w.Put(store.Write{Key: key})
	})
	return items, errors.Join(err, w.Close())
}
