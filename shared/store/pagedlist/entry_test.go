package pagedlist

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"touchline/shared/store"
)

func TestSizeOfAnEntryIsWhatItTakesOfAChunk(t *testing.T) {
	for _, length := range []int{0, 1, 127, 128, 16383, 16384} {
		e := entry{value: make([]byte, length)}
		if got, want := e.size(), len(packEntries([]entry{e}))-len(packEntries(nil)); got != want {
			t.Errorf("value of %d bytes: %d, want %d", length, got, want)
		}
	}
}

// A change is what it was before it was kept.
func TestAChangeComesBackAsItWas(t *testing.T) {
	schema := things()
	for _, op := range []Op[thing]{{Put: &thing{ID: 3, Status: "rare"}}, {Put: &thing{ID: 4, Hidden: true}}, {Key: []byte("gone")}} {
		c, err := schema.Pack(op)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ChangeOf(c.Key(), c.AppendTo(nil))
		if err != nil || !got.Same(c) || got.facet != c.facet || got.delete != (op.Put == nil) {
			t.Errorf("%+v came back as %+v, %v", c, got, err)
		}
	}
	for _, cut := range [][]byte{{1}, {1, 200, 1}, {1, 2, 'a'}} {
		if _, err := ChangeOf([]byte("k"), cut); err == nil {
			t.Errorf("a change that is cut off is no error: %v", cut)
		}
	}
}

func TestOfSeveralOpsForAKeyTheLastCounts(t *testing.T) {
	table, schema := newMemory(), things()
	first, second := thing{ID: 1, Text: "first"}, thing{ID: 1, Text: "second"}
	apply(t, table, schema, []Op[thing]{{Put: &first}, {Key: keyOf(thing{ID: 2})}, {Put: &second}}, Options{})
	reads(t, table, schema, model{second}, Request[thing]{List: "l", Limit: 10})
}

func TestApplyRefusesOpsThatCannotBe(t *testing.T) {
	for name, op := range map[string]Op[thing]{
		"no key, nothing to put":    {},
		"a key that is not the put": {Key: []byte("else"), Put: &thing{ID: 1}},
	} {
		if _, err := things().Changes("l", []Op[thing]{op}); err == nil || !strings.Contains(err.Error(), "list l") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEntriesOutOfOrderAreRefused(t *testing.T) {
	schema := things()
	first, second := schema.entry(&thing{ID: 1}), schema.entry(&thing{ID: 2})
	for name, entries := range map[string][]entry{"of one key": {first, first}, "turned round": {second, first}, "none": nil} {
		if _, err := schema.unpackEntries(packEntries(entries)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// An entry larger than a chunk is in one that is larger.
func TestAnEntryLargerThanAChunk(t *testing.T) {
	table, schema := newMemory(), things()
	m := model(nil)
	for _, ops := range [][]Op[thing]{
		puts([]thing{{ID: 7, At: 7, Text: strings.Repeat("x", 2000)}}),
		filling(60)(nil),
	} {
		ops[0].Key = keyOf(*ops[0].Put)
		apply(t, table, schema, ops, Options{sizes: small()})
		m = m.apply(ops)
		inspect(t, table, schema, m, small())
		reads(t, table, schema, m, Request[thing]{List: "l", Limit: 3})
	}
}

func TestAKeyTellsItsList(t *testing.T) {
	head, chunk := HeadKey("l"), chunkKey("l", "12345678")
	if list, ok := ListIn(head.PK); list != "l" || !ok || !IsHead(head) || IsHead(chunk) || chunk.PK != head.PK {
		t.Errorf("%v and %v are of list %q", head, chunk, list)
	}
	if _, ok := ListIn(store.Key{PK: "T#1"}.PK); ok {
		t.Error("a team is a list")
	}
}

// Whatever the bytes, a chunk is decoded or refused, and its entries are in
// order and packed again to what decodes the same.
func FuzzEntries(f *testing.F) {
	schema := things()
	for n := range 3 {
		var entries []entry
		for i := range n {
			entries = append(entries, schema.entry(&thing{ID: i, At: uint64(i), Status: "rare", Hidden: i == 1}))
		}
		f.Add(packEntries(entries))
	}
	f.Add([]byte{2, 1, 2, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		entries, err := schema.unpackEntries(b)
		if err != nil {
			return
		}
		if !slices.IsSortedFunc(entries, compareEntries) {
			t.Fatal("entries out of order")
		}
		again, err := schema.unpackEntries(packEntries(entries))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(entries, again, func(a, b entry) bool { return bytes.Equal(a.value, b.value) && a.facet == b.facet }) {
			t.Fatalf("%v, and packed again %v", entries, again)
		}
	})
}
