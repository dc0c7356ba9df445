package loader

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/loader/diff"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/spool"
	"touchline/shared/packed"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// Difference is an item or a list of the table that is not as the records of the
// table make it.
type Difference struct {
	Place   string `json:"place"`   // "item <pk> <sk>" or "list <name>"
	Problem string `json:"problem"` // what is wrong there
}

// CheckReport is what a check found.
type CheckReport struct {
	Records     int            `json:"records"`        // that everything else follows from
	Items       int            `json:"items"`          // compared, without those of lists
	Lists       int            `json:"lists"`          // compared
	Lost        []sources.Lost `json:"lost,omitempty"` // records that only an import brings back
	Differences []Difference   `json:"differences,omitempty"`
	Mended      bool           `json:"mended,omitempty"` // the differences are gone
}

// Check computes, from the source records of the table, what one load of them into an
// empty table would write, and compares every derived item with that. Mend writes the
// items that differ; killed, it may be repeated, since the records stay. Check holds the
// lease, so that no load runs meanwhile. It reads the whole table, and needs as much
// memory as a first load of it. The error is ErrUnfinished where a load was interrupted.
func (l *Loader) Check(ctx context.Context, mend bool) (*CheckReport, error) {
	ctx, held, err := l.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer held.free()
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return nil, err
	}
	if err := unfinished(held.Head, nil); err != nil {
		return nil, err
	}
	expected, writes := spool.New(ctx, l.inMemory), spool.New(ctx, l.inMemory)
	defer expected.Close()
	defer writes.Close()
	c := &check{
		loader: held.loader, run: newRun(held.loader, true, expected), expected: expected, writes: writes,
		items: map[store.Key]store.Item{}, lists: map[string]bool{}, report: &CheckReport{},
	}
	for _, step := range []func(context.Context) error{c.readTable, c.project, c.compare, c.compareRest} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	if empty && c.report.Records > 0 {
		c.differ(placeOf(records.VersionKey()), "is missing")
	}
	slices.SortFunc(c.report.Differences, func(a, b Difference) int { return cmp.Compare(a.Place, b.Place) })
	c.report.Lost = c.sources.Report()
	if mend && len(c.report.Differences) > 0 {
		if err := held.make(ctx, writes, false); err != nil {
			return nil, err
		}
		c.report.Mended = true
	}
	return c.report, nil
}

type check struct {
	loader  *Loader
	run     *run
	items   map[store.Key]store.Item // of the table, but for lists and the loader's own
	lists   map[string]bool          // that the table has items of
	sources *sources.Sources
	report  *CheckReport

	expected *spool.Spool // what the records make
	writes   *spool.Spool // what mends the table
}

func (c *check) differ(place, problem string, args ...any) {
	c.report.Differences = append(c.report.Differences, Difference{place, fmt.Sprintf(problem, args...)})
}

// mends puts writes that mend the table.
func (c *check) mends(writes ...store.Write) error {
	for _, w := range writes {
		phase := diff.Pieces
		switch list, _ := pagedlist.ListIn(w.Key.PK); {
		case w.Item == nil:
			phase = diff.OldPieces
		case list != "" && pagedlist.IsHead(w.Key):
			phase = diff.InItems
		}
		r, err := diff.RecordOf(phase, w)
		if err == nil {
			err = c.writes.Put(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readTable reads all items but those of lists, of which it notes the names.
func (c *check) readTable(ctx context.Context) error {
	c.loader.say("reading the table", 0, 0)
	return c.loader.Table.Scan(ctx, func(item store.Item) error {
		key := store.KeyOf(item)
		if list, ok := pagedlist.ListIn(key.PK); ok {
			c.lists[list] = true
		} else if kind, _ := records.Partition(key.PK); kind != 0 {
			c.items[key] = item
		}
		return nil
	})
}

// project makes the source records of the table the view after of an empty
// world.
func (c *check) project(ctx context.Context) error {
	var err error
	if c.sources, err = sources.Read(ctx, c.items, c.run.changes); err != nil {
		return err
	}
	c.report.Records = c.run.changes.Report.Sum().Created
	_, err = c.run.findAndProject(ctx, nil)
	return err
}

// compare compares the items and lists of the table with what is expected.
func (c *check) compare(ctx context.Context) error {
	c.loader.say("comparing", 0, 0)
	var list pagedlist.Changes
	var schema byte
	for {
		r, err := c.expected.Next()
		if err != nil {
			return err
		}
		if list.List != "" && (r == nil || r.Name != list.List || r.Schema != schema || !diff.Phase(r.Phase).OfLists()) {
			if err := c.compareList(ctx, c.run.lists.All()[schema], list); err != nil {
				return err
			}
			list = pagedlist.Changes{}
		}
		if r == nil {
			break
		}
		if !diff.Phase(r.Phase).OfLists() {
			if err := c.compareItem(r); err != nil {
				return err
			}
			continue
		}
		change, err := diff.ChangeOf(r)
		if err != nil {
			return err
		}
		list.List, schema = r.Name, r.Schema
		list.All = append(list.All, change)
	}
	for key := range c.items { // those that are expected are gone from it
		c.differ(placeOf(key), "should not be there")
		c.sources.LeftOver(key)
		if err := c.mends(store.Write{Key: key}); err != nil {
			return err
		}
	}
	return nil
}

func (c *check) compareItem(r *spool.Record) error {
	w, err := diff.WriteOf(r)
	if err != nil {
		return err
	}
	c.report.Items++
	has, ok := c.items[w.Key]
	delete(c.items, w.Key)
	switch {
	case !ok:
		c.differ(placeOf(w.Key), "is missing")
	case !sameItem(has, w.Item):
		c.differ(placeOf(w.Key), "is not what the records make of it")
	default:
		return nil
	}
	return c.writes.Put(*r)
}

func placeOf(key store.Key) string { return "item " + key.PK + " " + key.SK }

// sameItem compares an item of the table with one to be written. Deflated
// attributes are compared inflated: versions of the compressor differ.
func sameItem(has, want store.Item) bool {
	a, b := maps.Clone(has), maps.Clone(want)
	for _, m := range []store.Item{a, b} {
		delete(m, store.PKName)
		delete(m, store.SKName)
	}
	const deflated = "z"
	x, okX := a[deflated].(*types.AttributeValueMemberB)
	y, okY := b[deflated].(*types.AttributeValueMemberB)
	if reflect.DeepEqual(a, b) || !okX || !okY {
		return reflect.DeepEqual(a, b)
	}
	delete(a, deflated)
	delete(b, deflated)
	return reflect.DeepEqual(a, b) && packed.Same(x.Value, y.Value)
}

// compareList compares a list and its parts with the table's.
func (c *check) compareList(ctx context.Context, edits diff.AnyEdits, list pagedlist.Changes) error {
	all, err := edits.Check(ctx, list, c.itemsOf)
	if err != nil {
		return fmt.Errorf("list %s: %w", list.List, err)
	}
	c.report.Lists += len(all)
	for _, found := range all {
		if len(found.Mend) == 0 {
			continue
		}
		c.differ("list "+found.List, "%v", found)
		for _, key := range found.Extra {
			if found.Missing == 0 { // else it may be another list's
				c.sources.Listed(found.List, string(key))
			}
		}
		if err := c.mends(found.Mend...); err != nil {
			return err
		}
	}
	return nil
}

// itemsOf are the items of a list, which is compared now.
func (c *check) itemsOf(ctx context.Context, list string) ([]store.Item, error) {
	if !c.lists[list] {
		return nil, nil
	}
	delete(c.lists, list)
	return c.loader.Table.Query(ctx, store.Query{PK: pagedlist.Partition(list), Consistent: true})
}

// compareRest finds the lists that follow from no record.
func (c *check) compareRest(ctx context.Context) error {
	for _, list := range slices.Collect(maps.Keys(c.lists)) {
		items, err := c.itemsOf(ctx, list)
		if err != nil {
			return err
		}
		c.differ("list "+list, "should not be there, with %d entries", pagedlist.Len(items))
		for _, item := range items {
			if err := c.mends(store.Write{Key: store.KeyOf(item)}); err != nil {
				return err
			}
		}
	}
	return nil
}
