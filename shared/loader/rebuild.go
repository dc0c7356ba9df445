package loader

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/loader/affected"
	"touchline/shared/loader/change"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/projection"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/spool"
	"touchline/shared/packed"
	"touchline/shared/store"
	"touchline/shared/store/flat"
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
// empty table would write, and compares every item with that. Mend writes the items that
// differ; killed, it may be repeated, since the records stay. Check holds the lease, so
// that no load runs meanwhile. It reads the whole table, and needs as much memory as a
// first load of it: *MemoryError says that there is less. The error is ErrUnfinished where a load was interrupted.
func (l *Loader) Check(ctx context.Context, mend bool) (*CheckReport, error) {
	ctx, own, err := l.take(ctx)
	if err != nil {
		return nil, err
	}
	defer own.lock.Free()
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return nil, err
	}
	if own.lock.Header != nil {
		return nil, ErrUnfinished
	}
	b, err := newRebuild(ctx, own.Loader, nil)
	if err != nil {
		return nil, err
	}
	defer b.close()
	if empty && b.report.Records > 0 {
		b.differ(placeOf(records.VersionKey()), "is missing")
	}
	slices.SortFunc(b.report.Differences, func(a, b Difference) int { return cmp.Compare(a.Place, b.Place) })
	b.report.Lost = b.sources.Report()
	if mend && len(b.report.Differences) > 0 {
		if err := own.make(ctx, nil, b.writes, false); err != nil {
			return nil, err
		}
		b.report.Mended = true
	}
	return b.report, nil
}

// rebuild finds what differs in a table from what the source records of a table make, the
// same one or that of a former layout: a mend is an upgrade to the same layout.
type rebuild struct {
	loader  *Loader               // with the table that is to be right
	items   map[digest]digest     // of that, but for lists and the loader's own, by their keys
	lists   map[digest]bool       // that it has items of, by their names
	given   sources.Items         // those of records and of details of matches
	found   *projection.Projector // what they make, which it puts into expected
	changes *change.Changes
	sources *sources.Sources
	report  *CheckReport

	expected *spool.Spool // what the records make
	writes   *spool.Spool // what makes the table right
}

// newRebuild finds the writes. The caller holds the lease of the data that the source records
// are read from, and closes the rebuild. Here is as for Rebuild; nil: they are the table's own.
func newRebuild(ctx context.Context, l *Loader, here func(store.Item) store.Item) (*rebuild, error) {
	b := &rebuild{
		loader: l, items: map[digest]digest{}, lists: map[digest]bool{}, given: sources.Items{}, report: &CheckReport{},
		expected: spool.New(ctx, l.Temp, l.inMemory), writes: spool.New(ctx, l.Temp, l.inMemory),
	}
	own := newBase(l, true)
	b.changes, b.found = own.changes(), projection.New(own.world, &sink{to: b.expected, room: l.room()})
	err := b.read(ctx, here)
	if err == nil {
		err = b.project(ctx, own)
	}
	for _, step := range []func(context.Context) error{b.compare, b.compareRest} {
		if err == nil {
			err = step(ctx)
		}
	}
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *rebuild) close() {
	b.expected.Close()
	b.writes.Close()
}

// Rebuild makes the data of this layout from the source records of another one in the same
// table, of which the caller holds the lease, and says how many these are. Here gives an
// item of the other layout the key that it has in this one, and nil for an item that is of
// neither or of this one. What is there already stays, if it is right: killed, it may be
// repeated. The version of the data is not written.
func (l *Loader) Rebuild(ctx context.Context, here func(store.Item) store.Item) (sources int, err error) {
	b, err := newRebuild(ctx, l, here)
	if err != nil {
		return 0, err
	}
	defer b.close()
	return b.report.Records, l.writer(false).Write(ctx, b.writes)
}

func (b *rebuild) differ(place, problem string, args ...any) {
	b.report.Differences = append(b.report.Differences, Difference{place, fmt.Sprintf(problem, args...)})
}

// mends puts writes that make the table right.
func (b *rebuild) mends(writes ...store.Write) error {
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
			err = b.writes.Put(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// read reads all items of the table but those of lists, of which it notes the names; and
// the records.
func (b *rebuild) read(ctx context.Context, here func(store.Item) store.Item) error {
	count := 0
	return b.loader.Table.Scan(ctx, func(item store.Item) error {
		count++
		if err := b.fits("reading the table", count, 0); err != nil {
			return err
		}
		source := item // of a record
		if here != nil {
			source = here(item)
		}
		if source != nil {
			if key := store.KeyOf(source); records.Given(key) {
				b.given.Put(key, source)
			}
		}
		if here != nil && source != nil {
			return nil
		}
		key := store.KeyOf(item)
		if list, ok := pagedlist.ListIn(key.PK); ok {
			b.lists[nameOf(list)] = true
		} else if kind, _ := records.Partition(key.PK); kind != 0 {
			b.items[placeIn(key)] = digestOf(item)
		}
		return nil
	})
}

// fits says how far it is, and refuses to go on where memory is used up. It looks once in a
// thousand calls.
func (b *rebuild) fits(what string, done, all int) error {
	if done%1000 != 1 {
		return nil
	}
	b.loader.say(what, done, all)
	return b.loader.room().enough(0)
}

// project makes the source records the view after of an empty world.
func (b *rebuild) project(ctx context.Context, own *base) (err error) {
	if b.sources, err = sources.Read(ctx, b.given, b.changes, func(done, all int) error { return b.fits("reading records", done, all) }); err != nil {
		return err
	}
	b.given = nil
	b.report.Records = b.changes.Report.Sum().Created
	if err := b.loader.room().enough(own.countChanges() * firstMemory); err != nil {
		return err
	}
	b.found.Progress = func(done, all int) { b.loader.say("computing", done, all) }
	all, err := affected.Find(ctx, own.world, own.fetch)
	if err != nil {
		return err
	}
	return b.found.Project(all)
}

// compare compares the items and lists of the table with what is expected.
func (b *rebuild) compare(ctx context.Context) error {
	var list pagedlist.Changes
	var schema byte
	for done := 0; ; done++ {
		b.loader.say("comparing", done, b.expected.Len())
		r, err := b.expected.Next()
		if err != nil {
			return err
		}
		if list.List != "" && (r == nil || r.Name != list.List || r.Schema != schema || !diff.Phase(r.Phase).OfLists()) {
			if err := b.compareList(ctx, b.found.Lists.Stored[schema], list); err != nil {
				return err
			}
			list = pagedlist.Changes{}
		}
		if r == nil {
			break
		}
		if !diff.Phase(r.Phase).OfLists() {
			if err := b.compareItem(r); err != nil {
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
	return nil
}

func (b *rebuild) compareItem(r *spool.Record) error {
	w, err := diff.WriteOf(r)
	if err != nil {
		return err
	}
	b.report.Items++
	has, ok := b.items[placeIn(w.Key)]
	delete(b.items, placeIn(w.Key))
	switch {
	case !ok:
		b.differ(placeOf(w.Key), "is missing")
	case has != digestOf(w.Item):
		b.differ(placeOf(w.Key), "is not what the records make of it")
	default:
		return nil
	}
	return b.writes.Put(*r)
}

func placeOf(key store.Key) string { return "item " + key.PK + " " + key.SK }

// digest stands for a key, a name or an item, in less memory: no two of them have the same.
type digest [16]byte

func digested(text []byte) digest {
	sum := sha256.Sum256(text)
	return digest(sum[:])
}

func nameOf(list string) digest { return digested([]byte(list)) }

func placeIn(key store.Key) digest { return digested([]byte(key.PK + "\x00" + key.SK)) }

// digestOf leaves the key out. What is deflated counts as what it says (packed.Inflated).
func digestOf(item store.Item) (d digest) {
	rest := maps.Clone(item)
	delete(rest, store.PKName)
	delete(rest, store.SKName)
	const deflated = "z"
	if z, ok := rest[deflated].(*types.AttributeValueMemberB); ok {
		rest[deflated] = &types.AttributeValueMemberB{Value: packed.Inflated(z.Value)}
	}
	// What is not written as bytes, such as a set, is in no item that is expected.
	if text, err := flat.Append(nil, rest); err == nil {
		d = digested(text)
	}
	return d
}

// compareList compares a list with the table's.
func (b *rebuild) compareList(ctx context.Context, lists diff.Stored, list pagedlist.Changes) error {
	items, err := b.itemsOf(ctx, list.List)
	if err != nil {
		return err
	}
	found, err := lists.Check(list, items)
	if err != nil {
		return fmt.Errorf("list %s: %w", list.List, err)
	}
	b.report.Lists++
	if len(found.Mend) == 0 {
		return nil
	}
	b.differ("list "+list.List, "%v", found)
	for _, key := range found.Extra {
		if found.Missing == 0 { // else it may be another list's
			b.sources.Listed(list.List, string(key))
		}
	}
	return b.mends(found.Mend...)
}

// itemsOf are the items of a list, which is compared now.
func (b *rebuild) itemsOf(ctx context.Context, list string) ([]store.Item, error) {
	if !b.lists[nameOf(list)] {
		return nil, nil
	}
	delete(b.lists, nameOf(list))
	return b.loader.Table.Query(ctx, store.Query{PK: pagedlist.Partition(list), Consistent: true})
}

// compareRest finds the items and lists that follow from no record. Only where there are any
// it reads the table again, for their names.
func (b *rebuild) compareRest(ctx context.Context) error {
	if len(b.items)+len(b.lists) == 0 {
		return nil
	}
	left := map[string]bool{} // lists
	err := b.loader.Table.Scan(ctx, func(item store.Item) error {
		key := store.KeyOf(item)
		if list, ok := pagedlist.ListIn(key.PK); ok {
			if b.lists[nameOf(list)] {
				left[list] = true
			}
			return nil
		}
		if _, ok := b.items[placeIn(key)]; !ok {
			return nil
		}
		b.differ(placeOf(key), "should not be there")
		b.sources.LeftOver(key)
		return b.mends(store.Write{Key: key})
	})
	if err != nil {
		return err
	}
	for _, list := range slices.Sorted(maps.Keys(left)) {
		items, err := b.itemsOf(ctx, list)
		if err != nil {
			return err
		}
		b.differ("list "+list, "should not be there, with %d entries", pagedlist.Len(items))
		for _, item := range items {
			if err := b.mends(store.Write{Key: store.KeyOf(item)}); err != nil {
				return err
			}
		}
	}
	return nil
}
