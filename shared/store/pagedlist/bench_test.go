package pagedlist

import (
	"fmt"
	"testing"

	"touchline/shared/store"
)

// The bulk of a load: many lists of players, none of which exists.
func BenchmarkFill(b *testing.B) {
	ts := newTables(b)
	all := players(100_000)
	schema := playersByName()
	ops := make([][]Op[player], 200)
	for i := range all {
		ops[i%len(ops)] = append(ops[i%len(ops)], Op[player]{Key: schema.Key(all[i]), Put: &all[i]})
	}
	b.ReportAllocs()
	for b.Loop() {
		table := ts.table(b)
		lists := make([]Changes, len(ops))
		for i := range ops {
			var err error
			if lists[i], err = schema.Changes(fmt.Sprint(i), ops[i]); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := Apply(b.Context(), table, schema, lists, Options{Fresh: true}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(all))*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	}
}

// What a page costs a function once its items were read.
func BenchmarkPage(b *testing.B) {
	table := newTables(b).table(b)
	schema := playersByName()
	fill(b, table, schema, "l", players(20_000))
	req := Request[player]{List: "l", Offset: 9900, Limit: 100}
	heads, err := table.BatchGet(b.Context(), HeadKeys("l", false), false)
	if err != nil {
		b.Fatal(err)
	}
	var chunks map[store.Key]store.Item
	b.ReportAllocs()
	for b.Loop() {
		p, err := Plan(schema, heads, req)
		if err != nil {
			b.Fatal(err)
		}
		if chunks == nil {
			if chunks, err = table.BatchGet(b.Context(), p.Keys(), false); err != nil {
				b.Fatal(err)
			}
		}
		if _, _, err := p.Page(chunks); err != nil {
			b.Fatal(err)
		}
	}
}
