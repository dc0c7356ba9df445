package pagedlist

import (
	"bytes"
	"slices"
	"testing"
)

func TestSizeOfAnEntryIsWhatItTakesOfAChunk(t *testing.T) {
	for _, length := range []int{0, 1, 127, 128, 16383, 16384} {
		e := entry{value: make([]byte, length)}
		if got, want := e.size(), len(packEntries([]entry{e}))-len(packEntries(nil)); got != want {
			t.Errorf("value of %d bytes: %d, want %d", length, got, want)
		}
	}
}

// Whatever the bytes, a chunk is decoded or refused, and its entries are in
// order and packed again to what decodes the same.
func FuzzEntries(f *testing.F) {
	schema := things(true)
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
