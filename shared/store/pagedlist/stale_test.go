package pagedlist

import (
	"bytes"
	"errors"
	"maps"
	"testing"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/pagedlist/stored"
)

func numbered(from, to int) []Op[thing] {
	var ops []Op[thing]
	for i := from; i < to; i++ {
		t := thing{ID: i, At: uint64(i)} //nolint:gosec // small
		ops = append(ops, Op[thing]{Key: keyOf(t), Put: &t})
	}
	return ops
}

func deletes(ops []Op[thing]) []Op[thing] {
	gone := make([]Op[thing], len(ops))
	for i, op := range ops {
		gone[i] = Op[thing]{Key: op.Key}
	}
	return gone
}

// A head from before a list was emptied and filled again must not be taken for
// the new one's, although both name the same chunks with as many entries.
func TestAListThatBeginsAnewHasANewLife(t *testing.T) {
	table, schema := newTables(t).table(t), things(false)
	first, second := numbered(100, 160), numbered(200, 260)
	apply(t, table, schema, first, Options{layout: deep()})
	req := Request[thing]{List: "l", Limit: 5, WithHidden: true}
	heads, err := table.BatchGet(t.Context(), HeadKeys("l", false), true)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, table, schema, deletes(first), Options{layout: deep()})
	apply(t, table, schema, second, Options{layout: deep()})

	p, err := Plan(schema, heads, req)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := Finish(t.Context(), table.BatchGet, true, p); !errors.Is(err, ErrStale) {
		t.Fatalf("entries %v, error %v; want ErrStale", got, err)
	}
	check(t, table, schema, model{}.apply(second), req)
}

// A tail that an edit left behind, or wrote before it was killed, must not be
// read as that of the head.
func TestAReverseReadGoesWithoutATailThatIsNotTheHeads(t *testing.T) {
	tiny := layout{chunk: 120, head: 120, page: 4, window: 40}
	table, schema := newTables(t).table(t), things(false)
	apply(t, table, schema, numbered(0, 500), Options{layout: tiny})
	before, err := table.Get(t.Context(), stored.TailKey("l"), true)
	if err != nil || before == nil {
		t.Fatalf("tail %v, error %v", before, err)
	}
	apply(t, table, schema, numbered(500, 530), Options{layout: tiny})
	for name, item := range map[string]store.Item{"of the list before": maps.Clone(before), "none": nil} {
		t.Run(name, func(t *testing.T) {
			if err := table.Write(t.Context(), []store.Write{{Key: stored.TailKey("l"), Item: item}}); err != nil {
				t.Fatal(err)
			}
			m := model{}.apply(numbered(0, 530))
			check(t, table, schema, m, Request[thing]{List: "l", Reverse: true, Limit: 20})
			check(t, table, schema, m, Request[thing]{List: "l", Reverse: true, Limit: 20, Offset: 200})
			// Any edit of the list mends it, even one that changes nothing else.
			if stats := apply(t, table, schema, numbered(0, 1), Options{layout: tiny}); stats.Written != 1 {
				t.Errorf("%+v, want one item written", stats)
			}
			inspect(t, table, schema, m, tiny)
		})
	}
}

func TestAReadGivesUpOnAListThatStaysDamaged(t *testing.T) {
	table, schema := newTables(t).table(t), things(false)
	apply(t, table, schema, numbered(0, 60), Options{layout: deep()})
	if err := table.Write(t.Context(), []store.Write{{Key: stored.ChunkKey("l", 0)}}); err != nil {
		t.Fatal(err)
	}
	_, _, err := Read(t.Context(), table.BatchGet, schema, Request[thing]{List: "l", Limit: 1, WithHidden: true})
	if !errors.Is(err, ErrStale) {
		t.Errorf("read: %v, want ErrStale", err)
	}
	_, err = applyOps(t.Context(), table, schema, "l", deletes(numbered(0, 1)), Options{layout: deep()})
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("apply: %v, want ErrDamaged", err)
	}
}

// A window names chunks beyond the pages that an edit leaves alone: where the
// rest of the list goes, they go with it.
func TestAWindowShrinksWithItsList(t *testing.T) {
	wide := layout{chunk: 120, head: 120, page: 16, window: 1000}
	ts, schema := newTables(t), things(false)
	for name, kept := range map[string]func(directory []index.Row) (from, to []byte){
		"from its front": func(d []index.Row) (from, to []byte) { return nil, d[4].Sep },
		"from its end":   func(d []index.Row) (from, to []byte) { return d[len(d)-4].Sep, []byte{0xff} },
		"to one page":    func(d []index.Row) (from, to []byte) { return nil, d[1].Sep },
	} {
		t.Run(name, func(t *testing.T) {
			table, all := ts.table(t), numbered(0, 900)
			apply(t, table, schema, all, Options{layout: wide})
			head, err := table.Get(t.Context(), stored.HeadKey("l"), true)
			if err != nil {
				t.Fatal(err)
			}
			var gone []Op[thing]
			from, to := kept(decoded(t, stored.ParseHead(head).Directory))
			for _, op := range all {
				if bytes.Compare(op.Key, from) < 0 || bytes.Compare(op.Key, to) >= 0 {
					gone = append(gone, op)
				}
			}
			apply(t, table, schema, deletes(gone), Options{layout: wide})
			m := model{}.apply(all).apply(deletes(gone))
			inspect(t, table, schema, m, wide)
			for _, reverse := range []bool{false, true} {
				check(t, table, schema, m, Request[thing]{List: "l", Reverse: reverse, Limit: 1000})
			}
		})
	}
}
