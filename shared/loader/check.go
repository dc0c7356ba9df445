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
	"touchline/shared/store/generation"
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
// empty table would write, and compares every derived record and list with that. Mend
// rewrites what differs. Check holds the lease, so that no load runs meanwhile. It reads
// the whole table, and needs as much memory as a first load of it. The error is
// ErrUnfinished where a load was interrupted.
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
	expected := spool.New(ctx, held.loader.inMemory)
	defer expected.Close()
	c := &check{
		loader: held.loader, run: newRun(held.loader, true, expected), expected: expected,
		items: map[store.Key]store.Item{}, lists: map[string]bool{}, parts: map[string][]string{},
		writes: map[diff.Phase][]store.Write{}, report: &CheckReport{},
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
		if err := c.mend(ctx); err != nil {
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
	parts   map[string][]string      // of these, those of the parts of a list
	sources *sources.Sources
	report  *CheckReport

	expected *spool.Spool // what the records make
	anew     []rebuilt
	gone     []string // lists to delete
	writes   map[diff.Phase][]store.Write
}

// rebuilt is a list that is rewritten.
type rebuilt struct {
	edits diff.AnyEdits
	list  pagedlist.Changes
}

func (c *check) differ(place, problem string, args ...any) {
	c.report.Differences = append(c.report.Differences, Difference{place, fmt.Sprintf(problem, args...)})
}

// readTable reads all items but those of lists, of which it notes the names.
func (c *check) readTable(ctx context.Context) error {
	c.loader.say("reading the table", 0, 0)
	return c.loader.Table.Scan(ctx, func(item store.Item) error {
		key := store.KeyOf(item)
		if list, ok := pagedlist.ListIn(key.PK); ok {
			if whole := records.WholeOf(list); whole != "" && !c.lists[list] {
				c.parts[whole] = append(c.parts[whole], list)
			}
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
		c.writes[diff.OldPieces] = append(c.writes[diff.OldPieces], store.Write{Key: key})
		c.sources.LeftOver(key)
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
	phase := diff.Phase(r.Phase)
	c.writes[phase] = append(c.writes[phase], w)
	return nil
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

// compareList compares a list and its parts with the table's. Where one differs, all
// of them are rewritten.
func (c *check) compareList(ctx context.Context, edits diff.AnyEdits, list pagedlist.Changes) error {
	found, err := c.compareEntries(ctx, edits, list)
	if err != nil {
		return err
	}
	differs := !found.None()
	for _, part := range edits.PartsOf(list) {
		of, err := c.compareEntries(ctx, edits, part)
		if err != nil {
			return err
		}
		differs = differs || !of.None()
	}
	if differs {
		c.anew = append(c.anew, rebuilt{edits, list})
	}
	if found.Missing == 0 { // else it may be another list's
		for _, key := range found.Extra {
			c.sources.Listed(list.List, string(key))
		}
	}
	return nil
}

func (c *check) compareEntries(ctx context.Context, edits diff.AnyEdits, list pagedlist.Changes) (pagedlist.Found, error) {
	c.report.Lists++
	delete(c.lists, list.List)
	found, err := edits.Check(ctx, c.loader.Table, list)
	if err != nil {
		return found, fmt.Errorf("list %s: %w", list.List, err)
	}
	if !found.None() {
		c.differ("list "+list.List, "%v", found)
	}
	return found, nil
}

// compareRest finds the lists that follow from no record.
func (c *check) compareRest(ctx context.Context) error {
	for list := range c.lists {
		items, err := c.itemsOf(ctx, list)
		if err != nil {
			return err
		}
		c.differ("list "+list, "should not be there, with %d entries", pagedlist.Len(items))
		c.gone = append(c.gone, list)
	}
	return nil
}

func (c *check) itemsOf(ctx context.Context, list string) ([]store.Item, error) {
	return c.loader.Table.Query(ctx, store.Query{PK: pagedlist.Partition(list), Consistent: true})
}

// mend writes what differs. It may be repeated after an error.
func (c *check) mend(ctx context.Context) error {
	c.loader.say("mending", 0, 0)
	state, err := generation.Begin(ctx, c.loader.Table)
	if err != nil {
		return err
	}
	for _, l := range c.anew {
		c.gone = append(c.gone, c.parts[l.list.List]...)
	}
	slices.Sort(c.gone)
	var gone []store.Write
	for _, list := range slices.Compact(c.gone) {
		items, err := c.itemsOf(ctx, list)
		if err != nil {
			return err
		}
		for _, item := range items {
			gone = append(gone, store.Write{Key: store.KeyOf(item)})
		}
	}
	if err := c.loader.Table.Write(ctx, gone); err != nil {
		return err
	}
	for _, l := range c.anew {
		if err := l.edits.Apply(ctx, c.loader.Table, []pagedlist.Changes{l.list}, pagedlist.Options{Fresh: true, Clean: true}); err != nil {
			return err
		}
	}
	for _, phase := range []diff.Phase{diff.Pieces, diff.InItems, diff.OldPieces} {
		if err := c.loader.Table.Write(ctx, c.writes[phase]); err != nil {
			return err
		}
	}
	return state.End(ctx, 0, c.loader.Lease.Now())
}
