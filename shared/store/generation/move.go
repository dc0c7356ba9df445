package generation

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"touchline/shared/store"
	"touchline/shared/store/records"
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
	item, err := table.Get(ctx, records.VersionKey(), true)
	if err != nil {
		return nil, err
	}
	s, err := decode(item)
	if err != nil {
		return nil, err
	}
	var all []Listed
	for _, layout := range slices.Sorted(maps.Keys(s.Layouts)) {
		e := s.Layouts[layout]
		all = append(all, Listed{Layout: layout, Version: e.Version, Open: layout == s.Open, Partial: e.Partial})
	}
	return all, nil
}

// Suspend notes that the data of a layout that is not open are not whole from now on: no
// build reads them.
func Suspend(ctx context.Context, table *store.Table, layout int) error {
	return change(ctx, table, func(s *stored) error {
		if s.Open == layout {
			return fmt.Errorf("layout %d of table %s is open: only data that loads do not go to can be removed", layout, table.Name)
		}
		e := s.Layouts[layout]
		e.Partial = true
		s.Layouts[layout] = e
		return nil
	})
}

// Switch opens the data of a layout, which are whole, instead of those that are open.
// Their version goes on from there.
func Switch(ctx context.Context, table *store.Table, to int, now time.Time) error {
	return change(ctx, table, func(s *stored) error {
		version := max(s.Layouts[s.Open].Version, s.Layouts[to].Version) + 1
		s.Open, s.Layouts[to] = to, entry{Version: version, Ended: now.UnixMilli()}
		return nil
	})
}

// Gone notes that nothing is left of the data of a layout.
func Gone(ctx context.Context, table *store.Table, layout int) error {
	return change(ctx, table, func(s *stored) error {
		delete(s.Layouts, layout)
		return nil
	})
}
