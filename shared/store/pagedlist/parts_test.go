package pagedlist

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/stored"
)

// parted are things whose status is the part that they are of.
func parted() Schema[thing] {
	schema := things(true)
	schema.Part = func(f Facet) string {
		if rare(f) {
			return "rare"
		}
		return "common"
	}
	return schema
}

func applyParted(t *testing.T, table *store.Table, ops []Op[thing], options Options) error {
	t.Helper()
	options.layout = deep()
	changes, err := parted().Changes("l", ops)
	if err != nil {
		t.Fatal(err)
	}
	changes.Parts = true
	_, err = Apply(t.Context(), table, parted(), []Changes{changes}, options)
	return err
}

// partOf is what a read of a part must show of a model.
func (m model) partOf(part string) model {
	return slices.DeleteFunc(slices.Clone(m), func(t thing) bool { return t.Hidden || (t.Status == "rare") != (part == "rare") })
}

// readPart is a page of a part, whether it has a list or not.
func readPart(t *testing.T, table *store.Table, req Request[thing], part string) ([]thing, int, error) {
	t.Helper()
	req.List, req.Base = PartList("l", part), "l"
	return Read(t.Context(), table.BatchGet, parted(), req)
}

// inspectParts checks that parts have lists where, and only where, the list has
// chunks, and that they are complete.
func inspectParts(t *testing.T, table *store.Table, m model) {
	t.Helper()
	head, err := table.Get(t.Context(), stored.HeadKey("l"), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"rare", "common"} {
		items, err := table.Query(t.Context(), store.Query{PK: stored.Partition(PartList("l", part)), Consistent: true})
		if err != nil {
			t.Fatal(err)
		}
		want := m.partOf(part)
		if inHead := head == nil || stored.Entries(head) != nil; inHead && len(items) > 0 {
			t.Fatalf("the list is in its head, and part %s has %d items", part, len(items))
		} else if inHead {
			continue
		}
		got, err := All(t.Context(), table.BatchGet, parted(), Request[thing]{List: PartList("l", part), WithHidden: true})
		if diff := cmp.Diff([]thing(want), got); err != nil || len(want)+len(got) > 0 && diff != "" {
			t.Fatalf("list of part %s: %v %s", part, err, diff)
		}
	}
}

func TestPartsFollowTheirList(t *testing.T) {
	ts := uncounted(t)
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			table := ts.table(t)
			var m model
			for round := range 40 {
				ids := []int{6, 30, 300}[round/5%3] // in its head, with chunks, with index pages
				ops := randomOps(r, m, ids)
				if round%5 == 0 && len(m) > ids {
					ops = append(ops, keeping(ids/2)(m)...)
				}
				if err := applyParted(t, table, ops, Options{Fresh: round == 0}); err != nil {
					t.Fatal(err)
				}
				m = m.apply(ops)
				inspectParts(t, table, m)
				for _, part := range []string{"rare", "common"} {
					req := randomRequest(r, "", m)
					req.WithHidden = false
					want, wantTotal := m.partOf(part).read(parted(), req)
					got, total, err := readPart(t, table, req, part)
					if err != nil || !slices.Equal(want, got) || total != wantTotal {
						t.Fatalf("part %s, %s: %v, total %d, want %d, %s", part, describe(req), err, total, wantTotal, cmp.Diff(want, got))
					}
				}
			}
		})
	}
}

// An Apply that is killed leaves each part readable, as it was or as it is to be,
// and the same Apply completes it.
func TestPartsAreReadableWhereAnApplyWasKilled(t *testing.T) {
	ts := uncounted(t)
	for _, c := range []killing{
		{"a list outgrows its head", 3, filling(30)},
		{"a new list", 0, filling(30)},
		{"a list is edited", 40, mixing},
		{"payloads of a list with a part in its head", 20, repayloading(1)},
		{"a list goes back to its head", 30, keeping(2)},
		{"a list is emptied", 30, keeping(0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			old := model{}.apply(filling(c.before)(nil))
			ops := c.ops(old)
			for k := 0; !killParted(t, ts.table(t), old, ops, k); k++ {
			}
		})
	}
}

func killParted(t *testing.T, table *store.Table, old model, ops []Op[thing], k int) (sufficed bool) {
	t.Helper()
	var before []Op[thing]
	for i := range old {
		before = append(before, Op[thing]{Put: &old[i]})
	}
	if len(before) > 0 {
		if err := applyParted(t, table, before, Options{Fresh: true}); err != nil {
			t.Fatal(err)
		}
	}
	final := old.apply(ops)
	dying := &store.Table{DB: &mortal{table.DB, k}, Name: table.Name, Parallel: 1}
	err := applyParted(t, dying, ops, Options{})
	if err != nil && !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	for _, part := range []string{"rare", "common"} {
		got, _, err := readPart(t, table, Request[thing]{Limit: 1000}, part)
		if err != nil {
			t.Fatalf("part %s after %d writes: %v", part, k, err)
		}
		var differences []string
		for _, m := range []model{old.partOf(part), final.partOf(part)} {
			if slices.EqualFunc(m, got, sameButText) {
				differences = nil
				break
			}
			differences = append(differences, cmp.Diff([]thing(m), got))
		}
		if differences != nil {
			t.Fatalf("part %s after %d writes: %s", part, k, strings.Join(differences, "\n"))
		}
	}
	if err == nil {
		inspectParts(t, table, final)
		return true
	}
	if err := applyParted(t, table, ops, Options{Sweep: true}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"rare", "common"} {
		got, _, err := readPart(t, table, Request[thing]{Limit: 1000}, part)
		if want := final.partOf(part); err != nil || !slices.Equal([]thing(want), got) {
			t.Fatalf("part %s, applied again after %d writes: %v %s", part, k, err, cmp.Diff([]thing(want), got))
		}
	}
	return false
}

// A part without a list costs the head of the whole one in its place; one that
// has no entries costs nothing but heads, however long the list is.
func TestPartsWithoutAListCostAHead(t *testing.T) {
	ts := uncounted(t)
	for name, n := range map[string]int{"a list in its head": 3, "a list with chunks": 40} {
		t.Run(name, func(t *testing.T) {
			table := ts.table(t)
			var ops []Op[thing]
			for i := range n {
				ops = append(ops, Op[thing]{Put: &thing{ID: i, At: uint64(i)}})
			}
			if err := applyParted(t, table, ops, Options{}); err != nil {
				t.Fatal(err)
			}
			before := table.Meter.Total()
			got, total, err := readPart(t, table, Request[thing]{Limit: 10}, "rare")
			used := table.Meter.Total()
			if err != nil || len(got)+total > 0 {
				t.Errorf("%d of %d entries, %v", len(got), total, err)
			}
			if units := used.ReadUnits - before.ReadUnits; units > 1 {
				t.Errorf("%v read units", units)
			}
		})
	}
}
