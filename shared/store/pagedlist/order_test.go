package pagedlist

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
)

// An edition is an edit of a list that has some entries.
type edition struct {
	name   string
	before int // entries
	ops    func(model) []Op[thing]
}

var editions = []edition{
	{"a new list in its head", 0, filling(2)},
	{"a new list", 0, filling(12)},
	{"a new long list", 0, filling(90)},
	{"a list outgrows its head", 2, filling(12)},
	{"a list becomes long", 12, filling(90)},
	{"a list is edited", 12, mixing},
	{"a long list is edited", 110, mixing},
	{"payloads of a list", 12, repayloading(1)},
	{"payloads of a long list", 110, repayloading(9)},
	{"a list goes back to its head", 12, keeping(2)},
	{"a long list becomes short", 110, keeping(12)},
	{"a list is emptied", 12, keeping(0)},
	{"a long list is emptied", 110, keeping(0)},
}

func filling(n int) func(model) []Op[thing] {
	return func(model) []Op[thing] {
		r := rand.New(rand.NewPCG(3, 3))
		var ops []Op[thing]
		for range n {
			e := randomThing(r, 5*n)
			ops = append(ops, Op[thing]{Key: keyOf(e), Put: &e})
		}
		return ops
	}
}

func mixing(m model) []Op[thing] {
	r := rand.New(rand.NewPCG(8, 3))
	var ops []Op[thing]
	for range 6 {
		ops = append(ops, randomOps(r, m, 60)...)
	}
	return ops
}

// repayloading changes the payload of every nth entry.
func repayloading(n int) func(model) []Op[thing] {
	return func(m model) []Op[thing] {
		var ops []Op[thing]
		for i := 0; i < len(m); i += n {
			e := m[i]
			e.Text = "payload only"
			ops = append(ops, Op[thing]{Key: keyOf(e), Put: &e})
		}
		return ops
	}
}

// keeping deletes all but the first n entries.
func keeping(n int) func(model) []Op[thing] {
	return func(m model) []Op[thing] {
		var ops []Op[thing]
		for _, e := range m[n:] {
			ops = append(ops, Op[thing]{Key: keyOf(e)})
		}
		return ops
	}
}

// readable says what of a list is neither as it was nor as it is to be; nil where it is
// one of the two. Payloads may be of either.
func readable(ctx context.Context, get Getter, old, final model) error {
	got, err := All(ctx, get, things(), Request[thing]{List: "l", WithHidden: true})
	if err == nil && !slices.EqualFunc(old, got, sameButText) && !slices.EqualFunc(final, got, sameButText) {
		err = fmt.Errorf("it is of no version: %s", cmp.Diff([]thing(final), got))
	}
	return err
}

// sameButText compares entries of which payloads may be of two versions.
func sameButText(a, b thing) bool {
	a.Text, b.Text = "", ""
	return a == b
}

// An Apply that is killed after any number of writes leaves the list as it was or as it
// is to be. The same Apply completes it, and with Again it is, item by item, what it is
// without a kill.
func TestApplyMayBeKilledAtAnyPoint(t *testing.T) {
	schema, options := things(), Options{sizes: deep()}
	for _, c := range editions {
		t.Run(c.name, func(t *testing.T) {
			old := model{}.apply(filling(c.before)(nil))
			ops := c.ops(old)
			final := old.apply(ops)
			before := newMemory()
			apply(t, before, schema, puts(old), options)
			for k := 0; ; k++ {
				table := before.clone()
				table.left = k
				err := applyOps(t, table, schema, ops, options)
				if table.left = -1; err == nil {
					if k == 0 {
						t.Fatal("nothing was written")
					}
					inspect(t, table, schema, final, deep())
					return
				}
				if !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				if err := readable(t.Context(), table.BatchGet, old, final); err != nil {
					t.Fatalf("after %d writes: %v", k, err)
				}
				again := table.clone()
				apply(t, again, schema, ops, options)
				if err := readable(t.Context(), again.BatchGet, final, final); err != nil {
					t.Fatalf("applied again after %d writes: %v", k, err)
				}
				apply(t, table, schema, ops, Options{sizes: deep(), Again: true})
				inspect(t, table, schema, final, deep())
				table.reset()
				if apply(t, table, schema, ops, options); len(table.writes) > 0 {
					t.Fatalf("applied once more after %d writes, it writes %v", k, table.writes)
				}
			}
		})
	}
}

// Whoever has a head that an edit has replaced reads the list as that head has it, or
// is told to read it again: after each write of each of many edits, that of a list that
// was emptied meanwhile and has as many entries of other keys now among them.
func TestAFormerHeadIsReadOrStale(t *testing.T) {
	schema := things()
	r := rand.New(rand.NewPCG(6, 6))
	table, m := newMemory(), model(nil)
	type former struct {
		head store.Item
		list model
	}
	var heads []former
	stale, read := 0, 0
	table.wrote = func(store.Key) {
		for _, f := range heads[max(0, len(heads)-8):] {
			req := randomRequest(r, "l", f.list)
			reading := &Reading[thing]{Schema: schema, Request: req}
			err := reading.finish(t.Context(), table.BatchGet, true, map[store.Key]store.Item{HeadKey("l"): f.head})
			got, total := reading.Entries, reading.Total
			want, wantTotal := f.list.read(schema, req)
			switch {
			case errors.Is(err, ErrStale):
				stale++
			case err != nil || total != wantTotal || !slices.EqualFunc(want, got, sameButText):
				t.Fatalf("%s: %v, total %d, want %d: %s", describe(req), err, total, wantTotal, cmp.Diff(want, got))
			default:
				read++
			}
		}
	}
	for round := range 60 {
		ops := randomOps(r, m, 200)
		if round%6 == 5 { // the same list, of other keys
			ops = nil
			for _, e := range m {
				other := e
				other.ID, other.At = e.ID+100_000, e.At+1
				ops = append(ops, Op[thing]{Key: keyOf(e)}, Op[thing]{Key: keyOf(other), Put: &other})
			}
		}
		apply(t, table, schema, ops, Options{sizes: deep()})
		m = m.apply(ops)
		// The payload of an entry may be that of a later edit: none filters by it.
		heads = append(heads, former{table.items[HeadKey("l")], m})
	}
	if stale < 100 || read < 100 {
		t.Errorf("%d reads are stale, %d are not", stale, read)
	}
}

// A read that an edit overtakes reads again, past the cache, and gives up on a list that
// stays damaged.
func TestAReadThatMissesAChunkReadsAgain(t *testing.T) {
	schema := things()
	m := model{}.apply(filling(40)(nil))
	table := newMemory()
	apply(t, table, schema, puts(m), Options{sizes: deep()})
	former := table.clone()
	ops := mixing(m)
	apply(t, table, schema, ops, Options{sizes: deep()})
	get := func(ctx context.Context, keys []store.Key, fresh bool) (map[store.Key]store.Item, error) {
		if !fresh && keys[0] == HeadKey("l") {
			return former.BatchGet(ctx, keys, false)
		}
		return table.BatchGet(ctx, keys, fresh)
	}
	got, err := All(t.Context(), get, schema, Request[thing]{List: "l", WithHidden: true})
	if want := m.apply(ops); err != nil || !slices.Equal(want, got) {
		t.Errorf("%v %s", err, cmp.Diff([]thing(want), got))
	}
	for key := range table.items {
		if !IsHead(key) {
			delete(table.items, key)
		}
	}
	if _, err := All(t.Context(), table.BatchGet, schema, Request[thing]{List: "l"}); !errors.Is(err, ErrStale) {
		t.Errorf("read: %v, want ErrStale", err)
	}
	if err := applyOps(t, table, schema, ops[:1], Options{sizes: deep()}); !errors.Is(err, ErrDamaged) {
		t.Errorf("apply: %v, want ErrDamaged", err)
	}
}
