package generation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"touchline/shared/store"
	"touchline/shared/store/records"
)

// An upgrade makes the data of a layout while another one is open. Until Finish the
// item says nothing of them: loads into them raise a version of their own
// (records.BuildingKey), so that no build reads what is not complete. Each step may be
// repeated after it was killed.

// Listed is the data of a layout in a table.
type Listed struct {
	Layout int
	State
	// Last is the number of the last load before the data were closed, where Moved is set,
	// and Closed when that was; zero: it is not known.
	Last   int
	Closed time.Time
	// Removing says that the data are being removed, and nothing else.
	Removing bool
}

// List reads which layouts a table has data of, ascending.
func List(ctx context.Context, table *store.Table) ([]Listed, error) {
	s, err := readStored(ctx, table, records.VersionKey())
	if err != nil {
		return nil, err
	}
	var all []Listed
	for layout, e := range s.entries() {
		all = append(all, Listed{Layout: layout, State: e.state(), Last: e.Last, Closed: moment(e.Closed)})
	}
	for _, layout := range s.Removing {
		all = append(all, Listed{Layout: layout, Removing: true})
	}
	slices.SortFunc(all, func(a, b Listed) int { return cmp.Compare(a.Layout, b.Layout) })
	return all, nil
}

func readStored(ctx context.Context, table *store.Table, key store.Key) (*stored, error) {
	item, err := table.Get(ctx, key, true)
	if err != nil {
		return nil, err
	}
	return decode(item)
}

// Resume makes the data of this layout, that are there and closed, those of an upgrade
// that is not finished.
func Resume(ctx context.Context, table *store.Table) error {
	s, err := readStored(ctx, table, records.VersionKey())
	if err != nil {
		return err
	}
	own := s.entries()[Layout]
	own.Moved, own.Last, own.Closed = 0, 0, 0
	building := &stored{Layout: Layout, Layouts: map[int]entry{Layout: own}}
	if err := building.writeAt(ctx, table, records.BuildingKey()); err != nil {
		return err
	}
	delete(s.Layouts, Layout)
	return s.write(ctx, table)
}

// Finish opens the data of this layout that an upgrade has made, and closes those of
// from, whose last load has the number. Their version goes on from there.
func Finish(ctx context.Context, table *store.Table, from, number int, now time.Time) error {
	s, err := readStored(ctx, table, records.VersionKey())
	if err != nil {
		return err
	}
	building, err := readStored(ctx, table, records.BuildingKey())
	if err != nil {
		return err
	}
	own := building.Layouts[Layout] // none where there were no records
	all := s.entries()
	old := all[from]
	own.Version, own.Load, own.Ended = max(own.Version, old.Version)+1, number, now.UnixMilli()
	old.Moved, old.Last, old.Closed = Layout, number, now.UnixMilli()
	s.Layout, all[from], all[Layout] = Layout, old, own
	if err := s.write(ctx, table); err != nil {
		return err
	}
	return table.Write(ctx, []store.Write{{Key: records.BuildingKey()}})
}

// Back opens the data of another layout instead of this one's, whose last load has the
// number.
func Back(ctx context.Context, table *store.Table, to, number int, now time.Time) error {
	s, err := readStored(ctx, table, records.VersionKey())
	if err != nil {
		return err
	}
	all := s.entries()
	own, other := all[Layout], all[to]
	own.Moved, own.Last, own.Closed = to, number, now.UnixMilli()
	other.Moved, other.Last, other.Closed = 0, 0, 0
	if other.Version > 0 {
		other.Version, other.Ended = max(own.Version, other.Version)+1, now.UnixMilli()
	}
	s.Layout, all[to], all[Layout] = to, other, own
	// What Finish leaves where it is killed would be that of an upgrade under way.
	if err := table.Write(ctx, []store.Write{{Key: records.BuildingKey()}}); err != nil {
		return err
	}
	return s.write(ctx, table)
}

// Forget removes what the item says of a layout that is not open: no build reads its
// data from then on. It notes that they are being removed, until Removed.
func Forget(ctx context.Context, table *store.Table, layout int) error {
	s, err := readStored(ctx, table, records.VersionKey())
	if err != nil {
		return err
	}
	if s.Layout == layout {
		return fmt.Errorf("layout %d of table %s is open: only data that loads do not go to any more can be dropped", layout, table.Name)
	}
	if _, ok := s.entries()[layout]; !ok {
		return nil
	}
	delete(s.Layouts, layout)
	s.Removing = append(s.Removing, layout)
	return s.write(ctx, table)
}

// Removed notes that nothing is left of a layout that was forgotten.
func Removed(ctx context.Context, table *store.Table, layout int) error {
	s, err := readStored(ctx, table, records.VersionKey())
	if err != nil || !slices.Contains(s.Removing, layout) {
		return err
	}
	s.Removing = slices.DeleteFunc(s.Removing, func(l int) bool { return l == layout })
	return s.write(ctx, table)
}

// Condemn notes that the data of this layout, which are not open, are being removed, until
// records.BuildingKey is.
func Condemn(ctx context.Context, table *store.Table) error {
	return (&stored{Condemned: true}).writeAt(ctx, table, records.BuildingKey())
}

// Condemned refuses an upgrade to this layout while its data are being removed.
func Condemned(ctx context.Context, table *store.Table) error {
	s, err := readStored(ctx, table, records.BuildingKey())
	if err == nil && s.Condemned {
		err = fmt.Errorf("the removal of layout %d from table %s has not ended: run `touchline upgrade --drop %d` again first", Layout, table.Name, Layout)
	}
	return err
}
