package loader

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/dataset"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/spool"
	"touchline/shared/loader/world"
	"touchline/shared/packed"
	"touchline/shared/sport"
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
	Records     int          `json:"records"` // that everything else follows from
	Items       int          `json:"items"`   // compared, without those of lists
	Lists       int          `json:"lists"`   // compared
	Differences []Difference `json:"differences,omitempty"`
	Mended      bool         `json:"mended,omitempty"` // the differences are gone
}

// Check compares every derived record and list of the table with what one load
// of the table's own source records into an empty table would write. Mend
// rewrites what differs. It holds the lease, so that no load runs meanwhile,
// reads the whole table, and needs as much memory as a first load of it. The
// error is ErrUnfinished where a load was interrupted, *ConductedError where one is
// conducted.
func (l *Loader) Check(ctx context.Context, mend bool) (*CheckReport, error) {
	ctx, held, err := l.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer held.free()
	if _, err := l.checkLayout(ctx); err != nil {
		return nil, err
	}
	if err := unfinished(held.unfinished, nil); err != nil {
		return nil, err
	}
	expected := spool.New(ctx, held.run)
	defer expected.Close()
	c := &check{loader: &held.Loader, run: newRun(&held.Loader, true, expected), expected: expected, items: map[store.Key]store.Item{}, lists: map[string]bool{}, long: map[string]bool{}, report: &CheckReport{}}
	for _, step := range []func(context.Context) error{c.readTable, c.project, c.compare, c.compareRest} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(c.report.Differences, func(a, b Difference) int { return cmp.Compare(a.Place, b.Place) })
	if mend && len(c.report.Differences) > 0 {
		if err := c.mend(ctx); err != nil {
			return nil, err
		}
		c.report.Mended = true
	}
	return c.report, nil
}

type check struct {
	loader *Loader
	run    *run
	items  map[store.Key]store.Item // of the table, but for lists and the loader's own
	lists  map[string]bool          // that the table has items of
	long   map[string]bool          // of these, those that are not in their heads
	report *CheckReport

	expected *spool.Spool  // what the records make
	writes   []store.Write // that mend items
	mends    []mend
	gone     []string // lists to delete
}

// mend is what makes a list as it should be.
type mend struct {
	set     diff.Set
	changes pagedlist.Changes
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
			c.lists[list] = true
			if !records.IsListPart(key) && !pagedlist.InHead(item) {
				c.long[list] = true
			}
		} else if kind, _ := records.Partition(key.PK); kind != 0 {
			c.items[key] = item
		}
		return nil
	})
}

// project makes the source records of the table the view after of an empty
// world.
func (c *check) project(ctx context.Context) error {
	get := func(_ context.Context, keys []store.Key) (map[store.Key]store.Item, error) {
		found := map[store.Key]store.Item{}
		for _, k := range keys {
			if item, ok := c.items[k]; ok {
				found[k] = item
			}
		}
		return found, nil
	}
	sources := map[store.Key]store.Item{}
	for key, item := range c.items {
		if kind, _ := records.Source(key); kind != 0 {
			sources[key] = item
		}
	}
	c.report.Records = len(sources)
	whole, err := records.Whole(ctx, sources, get)
	if err != nil {
		return fmt.Errorf("read the records: %w", err)
	}
	if err := c.apply(whole); err != nil {
		return err
	}
	return c.run.project(ctx, nil)
}

// apply adds the records to the world, each kind after those that it refers to.
func (c *check) apply(items map[store.Key]store.Item) error {
	ch := c.run.changes
	keys := slices.SortedFunc(maps.Keys(items), func(a, b store.Key) int {
		order := func(k store.Key) int {
			kind, _ := records.Partition(k.PK)
			return strings.IndexByte("OCTPM", kind)
		}
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.PK, b.PK), cmp.Compare(a.SK, b.SK))
	})
	current := sport.ID("")
	for _, key := range keys {
		kind, id := records.Partition(key.PK)
		if kind != 'C' || id != current {
			if current != "" {
				c.run.world.SetCurrent(current)
			}
			current = ""
		}
		var err error
		switch kind {
		case 'O':
			err = applyRecord(items[key], func(r *records.OrganizationRecord) {
				ch.Organization(&dataset.Record[sport.Organization]{ID: id, Key: r.Key, Value: world.DecodeOrganization(r).Organization})
			})
		case 'C':
			current = id
			err = c.applySeason(id, key, items[key])
		case 'T':
			err = applyRecord(items[key], func(r *records.TeamRecord) {
				ch.Team(&dataset.Record[sport.Team]{ID: id, Key: r.Key, Value: world.DecodeTeam(r).Team})
			})
		case 'P':
			err = applyRecord(items[key], func(r *records.PlayerRecord) {
				ch.Player(&dataset.Record[sport.Player]{ID: id, Key: r.Key, Value: world.DecodePlayer(r).Player})
			})
		default:
			err = c.applyMatch(id, items[key])
		}
		if err != nil {
			return err
		}
	}
	if current != "" {
		c.run.world.SetCurrent(current)
	}
	return nil
}

func applyRecord[R any](item store.Item, apply func(*R)) error {
	r, err := store.Decode[R](item)
	if err == nil {
		apply(r)
	}
	return err
}

func (c *check) applySeason(id sport.ID, key store.Key, item store.Item) error {
	if records.IsGivenTableSK(key.SK) {
		return applyRecord(item, func(r *records.GivenTableRecord) {
			c.run.changes.Table(&dataset.Record[sport.GivenTable]{
				Value: sport.GivenTable{CompetitionID: id, Season: r.Season, Table: r.Table, Rows: r.Rows},
			})
		})
	}
	return applyRecord(item, func(r *records.CompetitionRecord) {
		c.run.changes.Competition(&dataset.Record[sport.Competition]{ID: id, Key: r.Key, Value: world.DecodeCompetition(r).Competition})
	})
}

func (c *check) applyMatch(id sport.ID, item store.Item) error {
	r, err := store.Decode[records.MatchRecord](item)
	if err != nil {
		return err
	}
	m := world.DecodeMatch(r)
	if len(m.DetailHash) > 0 {
		key := records.MatchDetailKey(id)
		detail, ok := c.items[key]
		if !ok {
			return fmt.Errorf("item %s %s is missing, which a dataset brought: load the match again", key.PK, key.SK)
		}
		d, err := store.Decode[records.DetailRecord](detail)
		if err != nil {
			return err
		}
		m.Detail = d.Parts
	}
	c.run.changes.SetMatch(&dataset.Record[dataset.Match]{ID: id}, m)
	return nil
}

// compare compares the items and lists of the table with what is expected.
func (c *check) compare(ctx context.Context) error {
	c.loader.say("comparing", 0, 0)
	var list pagedlist.Changes
	var set byte
	for {
		r, err := c.expected.Next()
		if err != nil {
			return err
		}
		if list.List != "" && (r == nil || r.Name != list.List || r.Set != set || !diff.Phase(r.Phase).OfLists()) {
			if err := c.compareList(ctx, c.run.lists.Sets()[set], list); err != nil {
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
		list.List, set = r.Name, r.Set
		list.All = append(list.All, change)
	}
	for key := range c.items { // those that are expected are gone from it
		c.differ(placeOf(key), "should not be there")
		c.writes = append(c.writes, store.Write{Key: key})
	}
	return nil
}

func (c *check) compareItem(r *spool.Record) error {
	w, err := diff.WriteOf(r)
	if err != nil {
		return err
	}
	c.report.Items++
	stored, ok := c.items[w.Key]
	delete(c.items, w.Key)
	switch {
	case !ok:
		c.differ(placeOf(w.Key), "is missing")
	case !sameItem(stored, w.Item):
		c.differ(placeOf(w.Key), "is not what the records make of it")
	default:
		return nil
	}
	c.writes = append(c.writes, w)
	return nil
}

func placeOf(key store.Key) string { return "item " + key.PK + " " + key.SK }

// sameItem compares an item of the table with one to be written. Deflated
// attributes are compared inflated: versions of the compressor differ.
func sameItem(stored, want store.Item) bool {
	a, b := maps.Clone(stored), maps.Clone(want)
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

// compareList compares a list with the table's, and keeps what mends it.
func (c *check) compareList(ctx context.Context, set diff.Set, list pagedlist.Changes) error {
	c.report.Lists++
	delete(c.lists, list.List)
	found, changes, err := set.Reduce(ctx, c.run.fetch.Get, list)
	if err != nil {
		return fmt.Errorf("list %s: %w", list.List, err)
	}
	if c.long[list.List] {
		for _, part := range set.PartsOf(list) {
			if err := c.compareList(ctx, set, part); err != nil {
				return err
			}
		}
	}
	if !found.None() {
		c.differ("list "+list.List, "%v", found)
		// After its parts: what mends it may put it into its head, and they are gone.
		c.mends = append(c.mends, mend{set, changes})
	}
	return nil
}

// compareRest checks the lists that follow from no record. An empty one is no
// difference.
func (c *check) compareRest(ctx context.Context) error {
	for list := range c.lists {
		n, err := c.run.lists.Count(ctx, c.run.fetch.Get, list)
		if err != nil {
			return fmt.Errorf("list %s: %w", list, err)
		}
		if n > 0 {
			c.differ("list "+list, "should not be there, with %d entries", n)
			c.gone = append(c.gone, list)
		}
	}
	return nil
}

// mend writes what differs. It may be repeated after an error.
func (c *check) mend(ctx context.Context) error {
	c.loader.say("mending", 0, 0)
	state, err := generation.Begin(ctx, c.loader.Table)
	if err != nil {
		return err
	}
	for _, m := range c.mends {
		if err := m.set.Apply(ctx, c.loader.Table, []pagedlist.Changes{m.changes}, pagedlist.Options{Sweep: true}); err != nil {
			return err
		}
	}
	for _, list := range c.gone {
		items, err := c.loader.Table.Query(ctx, store.Query{PK: pagedlist.Partition(list), Consistent: true})
		if err != nil {
			return err
		}
		for _, item := range items {
			c.writes = append(c.writes, store.Write{Key: store.KeyOf(item)})
		}
	}
	if err := c.loader.Table.Write(ctx, c.writes); err != nil {
		return err
	}
	return state.End(ctx, 0, c.loader.Lease.Now())
}
