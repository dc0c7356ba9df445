package pagedlist

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// Whatever item of a list is lost or spoiled, and whatever is there that belongs to
// nothing: a check finds it, and what it says mends the list.
func TestADamagedListIsFoundAndMended(t *testing.T) {
	for _, n := range []int{2, 12, 60} { // in its head, with an index in it, long
		schema, sizes := things(), deep()
		m := model{}.apply(filling(n)(nil))
		right := newMemory()
		apply(t, right, schema, puts(m), Options{sizes: sizes})
		list, err := schema.Changes("l", puts(m))
		if err != nil {
			t.Fatal(err)
		}
		for name, damage := range damages(right) {
			table := right.clone()
			if err := table.write(damage); err != nil {
				t.Fatal(err)
			}
			found, err := check(schema, list, table.list(), Options{Fresh: true, sizes: sizes})
			if err != nil || len(found.Mend) == 0 || found.String() == "" {
				t.Errorf("%d entries, %s: a check finds %+v, %v", n, name, found, err)
			}
			if err := table.Write(t.Context(), found.Mend); err != nil {
				t.Fatal(err)
			}
			sameItems(t, right, table)
		}
	}
}

// damages are what one write can do to the list "l", by what it is.
func damages(right *memory) map[string]store.Write {
	r := rand.New(rand.NewPCG(7, 1))
	all := map[string]store.Write{}
	items := map[store.Key]store.Item{}
	for key, item := range right.items {
		items[key] = plain(item)
	}
	keys := slices.SortedFunc(maps.Keys(items), store.Key.Compare)
	for i, key := range keys {
		all[key.SK+" is lost"] = store.Write{Key: key}
		if other := keys[(i+1)%len(keys)]; other != key {
			all[key.SK+" is "+other.SK] = store.Write{Key: key, Item: items[other]}
		}
		for name, value := range items[key] {
			b := slices.Clone(value.(*types.AttributeValueMemberB).Value)
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			all[key.SK+" is without "+name] = store.Write{Key: key, Item: store.Item{}}
			all[key.SK+" has another "+name] = store.Write{Key: key, Item: itemOf(name, b)}
		}
	}
	for _, key := range []store.Key{chunkKey("l", "12345678"), pageKey("l", "12345678"), {PK: Partition("l"), SK: "x"}} {
		all["a stray "+key.SK] = store.Write{Key: key, Item: itemOf(attrEntries, []byte{1})}
	}
	return all
}

// list is all that there is.
func (m *memory) list() []store.Item { return slices.Collect(maps.Values(m.items)) }

// An edit that meets a damaged chunk fails, or leaves it: it removes none that the head names.
func TestAnEditRemovesNoDamagedChunk(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	schema, options, failed := things(), Options{sizes: deep()}, 0
	for range 30 {
		m := model{}.apply(filling(20 + r.IntN(60))(nil))
		before := newMemory()
		apply(t, before, schema, puts(m), options)
		ops := randomOps(r, m, 120)
		for key := range before.items {
			if IsHead(key) || bytesOf(before.items[key], attrEntries) == nil {
				continue
			}
			table := before.clone()
			table.items[key] = itemOf(attrEntries, []byte{1})
			if applyOps(t, table, schema, ops, options) != nil {
				failed++
				continue
			}
			e := newEditor(schema, Changes{List: "l"}, options)
			e.got = table.items
			nodes, err := e.open()
			for _, n := range nodes {
				if chunk := chunkKey("l", n.name); err != nil || len(nodes) > 1 && !n.page && table.items[chunk] == nil {
					t.Fatalf("%v: %s is gone", err, chunk.SK)
				}
			}
		}
	}
	if failed == 0 {
		t.Error("no edit meets a damaged chunk")
	}
}

func TestACheckSaysWhatDiffers(t *testing.T) {
	schema := things()
	m := model{}.apply(filling(40)(nil))
	list, err := schema.Changes("l", puts(m))
	if err != nil {
		t.Fatal(err)
	}
	other := m[20]
	other.Text = "other"
	for _, tt := range []struct {
		name string
		ops  []Op[thing]
		more int // entries
		want string
	}{
		{"missing", []Op[thing]{{Key: keyOf(m[3])}}, -1, "1 entries missing, 0 different, 0 too many"},
		{"different", []Op[thing]{{Put: &other}}, 0, "0 entries missing, 1 different, 0 too many"},
		{"too many", []Op[thing]{{Put: &thing{ID: 77_777}}, {Put: &thing{ID: 77_778}}}, 2, "0 entries missing, 0 different, 2 too many"},
	} {
		table := newMemory()
		apply(t, table, schema, puts(m), Options{})
		apply(t, table, schema, tt.ops, Options{})
		if found, err := Check(schema, list, table.list()); err != nil || found.String() != tt.want {
			t.Errorf("%s: %v, %v", tt.name, found, err)
		}
		if got, want := Len(table.list()), len(m)+tt.more; got != want {
			t.Errorf("%s: %d entries, want %d", tt.name, got, want)
		}
	}
	table := newMemory()
	apply(t, table, schema, puts(m), Options{})
	if err := table.write(store.Write{Key: chunkKey("l", "12345678"), Item: plain(table.items[HeadKey("l")])}); err != nil {
		t.Fatal(err)
	}
	if found, err := Check(schema, list, table.list()); err != nil || found.String() != "1 items are not what its entries make of it" {
		t.Errorf("with a stray item: %v, %v", found, err)
	}
}
