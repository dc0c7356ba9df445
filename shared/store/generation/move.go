package generation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"touchline/shared/store"
)

// An upgrade makes the data of a layout while another one is open, and a removal takes
// such data away. Either notes first that they are not whole. Each step may be repeated
// after it was killed.

// Listed is the data of a layout in a table.
type Listed struct {
	Layout  int
	Version int
	Open    bool // loads go to them
	Partial bool // an upgrade is making them, or was interrupted, or a removal
}

// List reads which layouts a table has data of, ascending.
func List(ctx context.Context, table *store.Table) ([]Listed, error) {
	s, err := readStored(ctx, table)
	if err != nil {
		return nil, err
	}
	var all []Listed
	for layout, e := range s.Layouts {
		all = append(all, Listed{Layout: layout, Version: e.Version, Open: layout == s.Open, Partial: e.Partial})
	}
	slices.SortFunc(all, func(a, b Listed) int { return cmp.Compare(a.Layout, b.Layout) })
	return all, nil
}

// Part notes that the data of a layout that is not open are not whole from now on: no
// build reads them. It reports whether there were any.
func Part(ctx context.Context, table *store.Table, layout int) (there bool, err error) {
	s, err := readStored(ctx, table)
	if err != nil {
		return false, err
	}
	if s.Open == layout {
		return true, fmt.Errorf("layout %d of table %s is open: only data that loads do not go to can be removed", layout, table.Name)
	}
	e, there := s.Layouts[layout]
	e.Partial = true
	s.Layouts[layout] = e
	return there, s.write(ctx, table)
}

// Switch opens the data of a layout, which are whole, instead of those that are open.
// Their version goes on from there.
func Switch(ctx context.Context, table *store.Table, to int, now time.Time) error {
	s, err := readStored(ctx, table)
	if err != nil {
		return err
	}
	version := max(s.Layouts[s.Open].Version, s.Layouts[to].Version) + 1
	s.Open, s.Layouts[to] = to, entry{Version: version, Ended: now.UnixMilli()}
	return s.write(ctx, table)
}

// Gone notes that nothing is left of the data of a layout.
func Gone(ctx context.Context, table *store.Table, layout int) error {
	s, err := readStored(ctx, table)
	if err != nil {
		return err
	}
	delete(s.Layouts, layout)
	return s.write(ctx, table)
}
