package pagedlist

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
)

var errKilled = errors.New("killed")

// mortal makes a number of writes, then fails.
type mortal struct {
	store.SDK
	left int
}

func (m *mortal) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	for name, requests := range in.RequestItems {
		if m.left < len(requests) {
			in.RequestItems[name] = requests[:m.left]
			defer func() { m.left = 0 }()
			if m.left > 0 {
				if _, err := m.SDK.BatchWriteItem(ctx, in, options...); err != nil {
					return nil, err
				}
			}
			return nil, errKilled
		}
		m.left -= len(requests)
	}
	return m.SDK.BatchWriteItem(ctx, in, options...)
}

// killing is an edit to be killed.
type killing struct {
	name   string
	before int // entries
	ops    func(model) []Op[thing]
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

// An Apply that is killed after any number of writes leaves the old list or the
// new one, and the same Apply completes it.
func TestApplyMayBeKilledAtAnyPoint(t *testing.T) {
	ts := uncounted(t)
	for _, c := range []killing{
		{"a new list in its head", 0, filling(2)},
		{"a new list", 0, filling(30)},
		{"a new long list", 0, filling(90)},
		{"a list outgrows its head", 2, filling(20)},
		{"a list becomes long", 30, filling(90)},
		{"a list is edited", 30, mixing},
		{"a long list is edited", 110, mixing},
		{"payloads of a long list", 110, repayloading(9)},
		{"a list goes back to its head", 30, keeping(2)},
		{"a long list becomes short", 110, keeping(15)},
		{"a list is emptied", 30, keeping(0)},
		{"a long list is emptied", 110, keeping(0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			old := model{}.apply(filling(c.before)(nil))
			ops := c.ops(old)
			for k := 0; !kill(t, ts.table(t), old, ops, k); k++ {
			}
		})
	}
}

// kill applies ops to a list of old, dies after k writes, and checks what is
// there then, and after ops are applied again; it reports whether k writes
// sufficed.
func kill(t *testing.T, table *store.Table, old model, ops []Op[thing], k int) bool {
	t.Helper()
	schema, final, options := things(true), old.apply(ops), Options{layout: deep()}
	var before []Op[thing]
	for _, e := range old {
		before = append(before, Op[thing]{Put: &e})
	}
	apply(t, table, schema, before, Options{layout: deep(), Fresh: true})
	inspect(t, table, schema, old, deep())
	dying := &store.Table{DB: &mortal{table.DB, k}, Name: table.Name, Parallel: 1}
	_, err := applyOps(t.Context(), dying, schema, "l", ops, options)
	switch {
	case err == nil && k == 0:
		t.Fatal("nothing was written")
	case err == nil:
		inspect(t, table, schema, final, deep())
		return true
	case !errors.Is(err, errKilled):
		t.Fatal(err)
	}
	readsOldOrNew(t, table, schema, old, final)
	apply(t, table, schema, ops, options)
	check(t, table, schema, final, Request[thing]{List: "l", Limit: 1000, WithHidden: true})
	check(t, table, schema, final, Request[thing]{List: "l", Limit: 20, Reverse: true})
	if _, err := Sweep(t.Context(), table, "l"); err != nil {
		t.Fatal(err)
	}
	inspect(t, table, schema, final, deep())
	if stats := apply(t, table, schema, ops, options); stats != (Stats{}) {
		t.Fatalf("applied again, after %d writes and a sweep: %+v", k, stats)
	}
	return false
}

// readsOldOrNew checks that the list holds the keys of one of two models, and
// of each entry one of the two payloads.
func readsOldOrNew(t *testing.T, table *store.Table, schema Schema[thing], old, final model) {
	t.Helper()
	for _, reverse := range []bool{false, true} {
		req := Request[thing]{List: "l", Limit: 10_000, Reverse: reverse, WithHidden: true}
		got, total, err := Read(t.Context(), table.BatchGet, schema, req)
		if err != nil {
			t.Fatal(err)
		}
		var differences string
		for _, m := range []model{old, final} {
			want, wantTotal := m.read(schema, req)
			if slices.EqualFunc(want, got, sameButText) && total == wantTotal {
				return
			}
			differences += fmt.Sprintf("total %d, want %d; (-want +got)\n%s", total, wantTotal, cmp.Diff(want, got))
		}
		t.Fatal(differences)
	}
}

// sameButText compares entries of which payloads may be of two versions.
func sameButText(a, b thing) bool {
	a.Text, b.Text = "", ""
	return a == b
}
