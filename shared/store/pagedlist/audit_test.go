package pagedlist

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/stored"
)

// Whatever item of a list is lost or spoiled, and whatever is there that belongs to
// nothing: an audit finds it, and the list written again is as it was.
func TestADamagedListIsFoundAndWrittenAnew(t *testing.T) {
	ts := uncounted(t)
	for _, n := range []int{2, 12, 30} { // in its head, with an index in it, long
		table, schema := ts.table(t), parted()
		m := model{}.apply(filling(n)(nil))
		var all []Op[thing]
		for _, e := range m {
			all = append(all, Op[thing]{Put: &e})
		}
		if err := applyParted(t, table, all, Options{Fresh: true}); err != nil {
			t.Fatal(err)
		}
		damages, was := damages(t, table)
		for name, damage := range damages {
			if err := table.Write(t.Context(), []store.Write{damage}); err != nil {
				t.Fatal(err)
			}
			found, err := Audit(t.Context(), table, schema, "l")
			if !errors.Is(err, ErrDamaged) && (err != nil || slices.EqualFunc(m, found.Entries, func(e thing, c Change) bool {
				return c.Same(Change{entry: schema.entry(&e)})
			})) {
				t.Errorf("%d entries, %s: an audit finds nothing: %v", n, name, err)
			}
			if err := applyParted(t, table, all, Options{Anew: true}); err != nil {
				t.Fatal(err)
			}
			inspect(t, table, schema, m, deep())
			inspectParts(t, table, m)
			rewrite(t, table, was)
		}
	}
}

// rewrite makes items all that there is of the list "l".
func rewrite(t *testing.T, table *store.Table, items []store.Item) {
	t.Helper()
	var gone, back []store.Write
	for _, item := range itemsOf(t, table) {
		gone = append(gone, store.Write{Key: store.KeyOf(item)})
	}
	for _, item := range items {
		back = append(back, store.Write{Key: store.KeyOf(item), Item: without(item, "")})
	}
	for _, writes := range [][]store.Write{gone, back} {
		if err := table.Write(t.Context(), writes); err != nil {
			t.Fatal(err)
		}
	}
}

func itemsOf(t *testing.T, table *store.Table) []store.Item {
	t.Helper()
	items, err := table.Query(t.Context(), store.Query{PK: stored.Partition("l"), Consistent: true})
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// damages are all that one write can do to the list "l", by what it is, and the items
// that there are.
func damages(t *testing.T, table *store.Table) (map[string]store.Write, []store.Item) {
	t.Helper()
	items := itemsOf(t, table)
	r := rand.New(rand.NewPCG(7, 1))
	all := map[string]store.Write{}
	for i, item := range items {
		key := store.KeyOf(item)
		all[key.SK+" is lost"] = store.Write{Key: key}
		other := items[(i+1)%len(items)]
		if len(items) > 1 {
			all[key.SK+" is "+store.KeyOf(other).SK] = store.Write{Key: key, Item: without(other, "")}
		}
		for name, value := range item {
			if name == store.PKName || name == store.SKName {
				continue
			}
			all[key.SK+" is without "+name] = store.Write{Key: key, Item: without(item, name)}
			spoiled := without(item, name)
			switch v := value.(type) {
			case *types.AttributeValueMemberB:
				b := append([]byte{}, v.Value...)
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
				spoiled[name] = &types.AttributeValueMemberB{Value: b}
			default:
				spoiled[name] = &types.AttributeValueMemberN{Value: "1"}
			}
			all[key.SK+" has another "+name] = store.Write{Key: key, Item: spoiled}
		}
	}
	for _, key := range []store.Key{stored.ChunkKey("l", 4000), stored.PageKey("l", 4000), {PK: stored.Partition("l"), SK: "x"}} {
		all[fmt.Sprintf("a stray %s", key.SK)] = store.Write{Key: key, Item: store.Item{"l": &types.AttributeValueMemberN{Value: "5"}}}
	}
	return all, items
}

func without(item store.Item, name string) store.Item {
	rest := store.Item{}
	for n, v := range item {
		if n != name && n != store.PKName && n != store.SKName {
			rest[n] = v
		}
	}
	return rest
}
