package pagedlist

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
)

// A page, or a range of keys, that lies in one chunk takes that chunk and no neighbour.
func TestAPageTakesTheChunksThatHoldIt(t *testing.T) {
	schema := things()
	m := model{}.apply(filling(60)(nil))
	table := newMemory()
	s := deep()
	s.index = 100_000
	apply(t, table, schema, puts(m), Options{sizes: s})
	rows, err := decode(bytesOf(table.items[HeadKey("l")], attrIndex))
	if err != nil || len(rows) < 5 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	wants := func(req Request[thing]) []store.Key {
		t.Helper()
		req.List, req.WithHidden = "l", true
		r := &Reading[thing]{Schema: schema, Request: req}
		keys, err := r.Wants(map[store.Key]store.Item{HeadKey("l"): table.items[HeadKey("l")]})
		if err != nil {
			t.Fatal(err)
		}
		return keys
	}
	before := 0
	for i, row := range rows {
		n, one := row.counts.total(), []store.Key{chunkKey("l", row.name)}
		ranged := Request[thing]{From: row.sep, Limit: 1000}
		if i+1 < len(rows) {
			ranged.To = rows[i+1].sep
		}
		for name, req := range map[string]Request[thing]{
			"the page of a chunk":    {Offset: before, Limit: n},
			"its first entry":        {Offset: before, Limit: 1},
			"its last entry":         {Offset: before + n - 1, Limit: 1},
			"its page from the last": {Offset: len(m) - before - n, Limit: n, Reverse: true},
			"its range":              ranged,
		} {
			if diff := cmp.Diff(one, wants(req)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		before += n
	}
	if keys := wants(Request[thing]{Offset: len(m), Limit: 9}); keys != nil {
		t.Errorf("behind the last entry: %v", keys)
	}
}

// A chunk with other entries than its row says is another one, or damaged.
func TestAChunkHasAsManyEntriesAsItsRowSays(t *testing.T) {
	schema := things()
	m := model{}.apply(filling(40)(nil))
	for _, more := range []int{-1, 1} {
		table := newMemory()
		apply(t, table, schema, puts(m), Options{sizes: deep()})
		for key, item := range table.items {
			all, err := values(bytesOf(item, attrEntries))
			if IsHead(key) || err != nil || len(all) == 0 {
				continue
			}
			var entries []entry
			for i := range len(all) + more {
				entries = append(entries, entry{value: all[i%len(all)]})
			}
			table.items[key] = itemOf(attrEntries, packEntries(entries))
		}
		table.reset()
		_, _, err := Read(t.Context(), table.BatchGet, schema, Request[thing]{List: "l", Limit: 1, WithHidden: true})
		if !errors.Is(err, ErrStale) {
			t.Errorf("%d entries more: %v", more, err)
		}
		heads := 0
		for _, key := range table.reads {
			if IsHead(key) {
				heads++
			}
		}
		if heads != attempts {
			t.Errorf("read %d times, want %d", heads, attempts)
		}
	}
}

// A list is in its head up to a size, and an index up to a weight.
func TestAListLeavesItsHeadWhereItIsTooLarge(t *testing.T) {
	schema := things()
	m := model{}.apply(filling(8)(nil))
	size, weight := 0, 0
	for i := range m {
		size += schema.entry(&m[i]).size()
	}
	attribute := func(s sizes) (names []string) {
		t.Helper()
		table := newMemory()
		apply(t, table, schema, puts(m), Options{sizes: s})
		for name := range plain(table.items[HeadKey("l")]) {
			names = append(names, name)
		}
		return names
	}
	s := sizes{full: size, chunk: bounds{size/3 + 1, size, 10}, index: 1 << 20, page: bounds{10, 20, 5}}
	if got := attribute(s); !cmp.Equal(got, []string{attrEntries}) {
		t.Errorf("of just the size: %v", got)
	}
	s.full--
	if got := attribute(s); !cmp.Equal(got, []string{attrIndex}) {
		t.Errorf("a byte more: %v", got)
	}
	table := newMemory()
	apply(t, table, schema, puts(m), Options{sizes: s})
	rows, err := decode(bytesOf(table.items[HeadKey("l")], attrIndex))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		weight += r.weight()
	}
	if s.index = weight; !cmp.Equal(attribute(s), []string{attrIndex}) {
		t.Error("an index of just the weight is not in the head")
	}
	if s.index--; !cmp.Equal(attribute(s), []string{attrDirectory}) {
		t.Error("an index that is heavier is in the head")
	}
}
