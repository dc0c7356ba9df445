package pagedlist

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"touchline/shared/meter"
	"touchline/shared/store"
)

func TestAnEditCostsWhatItChanges(t *testing.T) {
	table, schema := newTables(t).table(t), playersByID()
	sizes := map[int]struct{ payload, insert float64 }{
		// A head with entries is written whole. A chunk is 4 units; an insert
		// writes one, deletes the one before, and writes the head.
		10:   {payload: 3, insert: 3},
		1000: {payload: 4, insert: 4 + 4 + 1},
		// An index page is put and deleted, too.
		20_000: {payload: 4, insert: 4 + 4 + 4 + 2*3},
		60_000: {payload: 4, insert: 4 + 4 + 4 + 2*3},
	}
	for n, bounds := range sizes {
		list, all := fmt.Sprintf("%d players", n), players(n)
		fill(t, table, schema, list, all)
		edit := func(op Op[player]) (Stats, float64) {
			t.Helper()
			count := &meter.Meter{}
			stats, err := applyOps(meter.With(context.Background(), count), table, schema, list, []Op[player]{op}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			return stats, count.Total().WriteUnits
		}
		some := all[n/2]
		if stats, units := edit(Op[player]{Put: &some}); stats != (Stats{}) || units != 0 {
			t.Errorf("%s, the same again: %+v, %.1f units", list, stats, units)
		}
		if stats, units := edit(Op[player]{Key: []byte("nobody")}); stats != (Stats{}) || units != 0 {
			t.Errorf("%s, delete what is not there: %+v, %.1f units", list, stats, units)
		}
		some.Number++
		if stats, units := edit(Op[player]{Put: &some}); stats != (Stats{Lists: 1, Put: 1, Written: 1}) || units > bounds.payload {
			t.Errorf("%s, another payload: %+v, %.1f units, want at most %.1f", list, stats, units, bounds.payload)
		}
		some.ID = "8" + some.ID[1:23] + "0"
		if stats, units := edit(Op[player]{Put: &some}); stats.Put != 1 || units > bounds.insert {
			t.Errorf("%s, one more: %+v, %.1f units, want at most %.1f", list, stats, units, bounds.insert)
		}
		if stats, units := edit(Op[player]{Key: []byte(some.ID)}); stats.Deleted != 1 || units > bounds.insert {
			t.Errorf("%s, one less: %+v, %.1f units, want at most %.1f", list, stats, units, bounds.insert)
		}
	}
}

func TestAnEntryLargerThanAChunkIsAChunk(t *testing.T) {
	table, schema := newTables(t).table(t), things(false)
	large := thing{ID: 7, At: 7, Text: strings.Repeat("x", 2000)}
	cases := []struct {
		name string
		ops  []Op[thing]
	}{
		{"alone", []Op[thing]{{Put: &large}}},
		{"among others", append(numbered(0, 60), Op[thing]{Put: &large})},
		{"alone again", deletes(append(numbered(0, 7), numbered(8, 60)...))},
	}
	var m model
	for _, c := range cases {
		for i := range c.ops {
			if c.ops[i].Put != nil {
				c.ops[i].Key = keyOf(*c.ops[i].Put)
			}
		}
		apply(t, table, schema, c.ops, Options{layout: small()})
		m = m.apply(c.ops)
		inspect(t, table, schema, m, small())
		check(t, table, schema, m, Request[thing]{List: "l", Offset: 3, Limit: 10})
	}
}

// applyOps makes ops on one list.
func applyOps[T any](ctx context.Context, table *store.Table, schema Schema[T], list string, ops []Op[T], options Options) (Stats, error) {
	changes, err := schema.Changes(list, ops)
	if err != nil {
		return Stats{}, err
	}
	return Apply(ctx, table, schema, []Changes{changes}, options)
}

func TestOfSeveralOpsForAKeyTheLastCounts(t *testing.T) {
	table, schema := newTables(t).table(t), things(false)
	first, second := thing{ID: 1, Text: "first"}, thing{ID: 1, Text: "second"}
	var lists []Changes
	for list, ops := range map[string][]Op[thing]{
		"l":     {{Put: &first}, {Key: keyOf(thing{ID: 2}), Put: nil}, {Put: &second}},
		"other": {{Put: &first}},
		"none":  nil,
	} {
		changes, err := schema.Changes(list, ops)
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, changes)
	}
	stats, err := Apply(t.Context(), table, schema, lists, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Stats{Lists: 2, Put: 2, Written: 2}, stats); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
	check(t, table, schema, model{second}, Request[thing]{List: "l", Limit: 10})
	check(t, table, schema, model{first}, Request[thing]{List: "other", Limit: 10})
}

func TestApplyRefusesOpsThatCannotBe(t *testing.T) {
	table, schema := newTables(t).table(t), things(false)
	some := thing{ID: 1}
	for name, op := range map[string]Op[thing]{
		"no key, nothing to put":    {},
		"a key that is not the put": {Key: []byte("else"), Put: &some},
	} {
		if _, err := applyOps(t.Context(), table, schema, "l", []Op[thing]{op}, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	table.Name = "Nowhere"
	for what, err := range map[string]error{
		"apply": func() error {
			_, err := applyOps(t.Context(), table, schema, "l", []Op[thing]{{Put: &some}}, Options{})
			return err
		}(),
		"read": func() error {
			_, _, err := Read(t.Context(), table.BatchGet, schema, Request[thing]{List: "l", Limit: 1})
			return err
		}(),
	} {
		if !errors.Is(err, store.ErrNoTable) || !strings.Contains(err.Error(), "Nowhere") {
			t.Errorf("%s of a table that is not there: %v", what, err)
		}
	}
}

func TestAllIsEveryEntryThatMatches(t *testing.T) {
	table, schema := newTables(t).table(t), things(false)
	ops := numbered(0, 400)
	for i := range ops {
		ops[i].Put.Hidden = i%4 == 0
	}
	apply(t, table, schema, ops, Options{layout: small()})
	all := model{}.apply(ops)
	for name, req := range map[string]Request[thing]{
		"visible":           {List: "l"},
		"hidden ones too":   {List: "l", WithHidden: true},
		"offset and limit":  {List: "l", Offset: 7, Limit: 1},
		"of no list at all": {List: "none"},
	} {
		got, err := All(t.Context(), table.BatchGet, schema, req)
		if err != nil {
			t.Fatal(err)
		}
		want := model{}
		for _, e := range all {
			if req.List == "l" && (req.WithHidden || !e.Hidden) {
				want = append(want, e)
			}
		}
		if diff := cmp.Diff([]thing(want), got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
