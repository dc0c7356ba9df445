package pagedlist

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var compareRows = cmp.Options{cmp.AllowUnexported(row{}, tick{}, facetCount{}, facet{}), cmpopts.EquateEmpty()}

func rowsFrom(t *rapid.T) []row {
	facets := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) facet {
		return facet{rapid.Bool().Draw(t, "hidden"), Facet(rapid.StringN(0, 4, -1).Draw(t, "of"))}
	}), 1, 8, rapid.ID[facet]).Draw(t, "facets")
	var sep []byte
	at := rapid.Uint64Range(0, 1<<63).Draw(t, "at")
	unit := rapid.Uint64Range(1, 900_000).Draw(t, "unit")
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) row {
		r := row{num: rapid.IntRange(0, maxNum-1).Draw(t, "num")}
		if rapid.Bool().Draw(t, "again") {
			r.num %= 3 // runs
		}
		for range rapid.IntRange(1, 3).Draw(t, "counts") {
			r.counts = r.counts.add(rapid.SampledFrom(facets).Draw(t, "facet"), rapid.IntRange(1, 400).Draw(t, "n"))
		}
		sep = append(slices.Clone(sep[:rapid.IntRange(0, len(sep)).Draw(t, "shared")]), rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "own")...)
		r.sep = sep
		for range rapid.IntRange(1, 3).Draw(t, "ticks") {
			at += unit * rapid.Uint64Range(0, 100).Draw(t, "later")
			r.ticks = append(r.ticks, tick{at, rapid.IntRange(1, 30).Draw(t, "n")})
		}
		return r
	}), 0, 40).Draw(t, "rows")
}

func TestBlockGivesBackWhatItTook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rowsFrom(t)
		include := columns{seps: rapid.Bool().Draw(t, "seps"), ticks: rapid.Bool().Draw(t, "with ticks")}
		got, err := decodeRows(encodeBlock(rows, include))
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(rows)
		for i := range want {
			if !include.seps {
				want[i].sep = nil
			}
			if !include.ticks {
				want[i].ticks = nil
			}
		}
		if diff := cmp.Diff(want, got, compareRows); diff != "" {
			t.Fatalf("rows (-want +got):\n%s", diff)
		}
	})
}

func TestBlockIsSmall(t *testing.T) {
	// 770 chunks are 10,000 entries of 250 bytes.
	one, two := facet{of: "active"}, facet{of: "inactive"}
	single, mixed := make([]row, 770), make([]row, 770)
	for i := range single {
		single[i] = row{num: i, counts: counts{{one, 13}}}
		mixed[i] = row{num: i, counts: counts{{one, 12}, {two, 1}}}
		if i%2 == 0 {
			mixed[i].counts = counts{{one, 13}}
		}
	}
	cases := []struct {
		name  string
		rows  []row
		bound int
	}{
		{"a facet", single, 1600},
		{"a rare facet beside it", mixed, 2000},
	}
	for _, c := range cases {
		if got := len(encodeBlock(c.rows, columns{})); got > c.bound {
			t.Errorf("%s: %d bytes, want at most %d", c.name, got, c.bound)
		}
	}
}

func TestSpanCountsWhatMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rowsFrom(t)
		match := func(f facet) bool { return f.hidden }
		s, err := decodeSpan(encodeBlock(rows, columns{seps: true, ticks: true}), match, false)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range rows {
			hits := 0
			for _, fc := range r.counts {
				if match(fc.facet) {
					hits += fc.n
				}
			}
			if s.nums[i] != r.num || s.all[i] != r.counts.total() || s.hits[i] != hits {
				t.Fatalf("row %d: %d, %d of %d; want %d, %d of %d", i, s.nums[i], s.hits[i], s.all[i], r.num, hits, r.counts.total())
			}
		}
	})
}

// Whatever the bytes, a block is decoded or refused, in memory and time that
// follow its length, and what is decoded is encoded to something that decodes
// the same.
func FuzzBlock(f *testing.F) {
	f.Add(encodeBlock(nil, columns{}))
	f.Add(encodeBlock([]row{{num: 3, counts: counts{{facet{hidden: true, of: "active"}, 2}}, sep: []byte("b"), ticks: []tick{{7, 2}}}}, columns{seps: true, ticks: true}))
	f.Add([]byte{2, 1, 2, 0, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := decodeRows(b)
		if err != nil {
			return
		}
		if slices.ContainsFunc(rows, func(r row) bool {
			return r.counts.total() == 0 || !slices.IsSortedFunc(r.counts, byFacet) || len(r.counts) > 1 && repeats(r.counts)
		}) {
			return // no encoder writes these
		}
		again, err := decodeRows(encodeBlock(rows, columns{seps: true, ticks: ticked(rows)}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rows, again, compareRows); diff != "" {
			t.Fatalf("rows (-first +second):\n%s", diff)
		}
	})
}

func byFacet(a, b facetCount) int { return compareFacets(a.facet, b.facet) }

func repeats(c counts) bool {
	for i := 1; i < len(c); i++ {
		if c[i].facet == c[i-1].facet {
			return true
		}
	}
	return false
}
