package index

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var compareRows = cmpopts.EquateEmpty()

func rowsFrom(t *rapid.T) []Row {
	facets := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) Facet {
		return Facet{rapid.Bool().Draw(t, "hidden"), rapid.StringN(0, 4, -1).Draw(t, "of")}
	}), 1, 8, rapid.ID[Facet]).Draw(t, "facets")
	var sep []byte
	at := rapid.Uint64Range(0, 1<<63).Draw(t, "at")
	unit := rapid.Uint64Range(1, 900_000).Draw(t, "unit")
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Row {
		r := Row{Num: rapid.IntRange(0, MaxNum-1).Draw(t, "num")}
		if rapid.Bool().Draw(t, "again") {
			r.Num %= 3 // runs
		}
		for range rapid.IntRange(1, 3).Draw(t, "counts") {
			r.Counts = r.Counts.Add(rapid.SampledFrom(facets).Draw(t, "facet"), rapid.IntRange(1, 400).Draw(t, "n"))
		}
		sep = append(slices.Clone(sep[:rapid.IntRange(0, len(sep)).Draw(t, "shared")]), rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "own")...)
		r.Sep = sep
		for range rapid.IntRange(1, 3).Draw(t, "ticks") {
			at += unit * rapid.Uint64Range(0, 100).Draw(t, "later")
			r.Ticks = append(r.Ticks, Tick{at, rapid.IntRange(1, 30).Draw(t, "n")})
		}
		return r
	}), 0, 40).Draw(t, "rows")
}

func TestBlockGivesBackWhatItTook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rowsFrom(t)
		include := Columns{Seps: rapid.Bool().Draw(t, "seps"), Ticks: rapid.Bool().Draw(t, "with ticks")}
		got, err := Decode(Encode(rows, include))
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(rows)
		for i := range want {
			if !include.Seps {
				want[i].Sep = nil
			}
			if !include.Ticks {
				want[i].Ticks = nil
			}
		}
		if diff := cmp.Diff(want, got, compareRows); diff != "" {
			t.Fatalf("rows (-want +got):\n%s", diff)
		}
	})
}

func TestBlockIsSmall(t *testing.T) {
	// 770 chunks are 10,000 entries of 250 bytes.
	one, two := Facet{Of: "active"}, Facet{Of: "inactive"}
	single, mixed := make([]Row, 770), make([]Row, 770)
	for i := range single {
		single[i] = Row{Num: i, Counts: Counts{{one, 13}}}
		mixed[i] = Row{Num: i, Counts: Counts{{one, 12}, {two, 1}}}
		if i%2 == 0 {
			mixed[i].Counts = Counts{{one, 13}}
		}
	}
	cases := []struct {
		name  string
		rows  []Row
		bound int
	}{
		{"a facet", single, 1600},
		{"a rare facet too", mixed, 2000},
	}
	for _, c := range cases {
		if got := len(Encode(c.rows, Columns{})); got > c.bound {
			t.Errorf("%s: %d bytes, want at most %d", c.name, got, c.bound)
		}
	}
}

func TestSpanCountsWhatMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rowsFrom(t)
		match := func(f Facet) bool { return f.Hidden }
		s, err := DecodeSpan(Encode(rows, Columns{Seps: true, Ticks: true}), match, false)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range rows {
			hits := 0
			for _, fc := range r.Counts {
				if match(fc.Facet) {
					hits += fc.N
				}
			}
			if s.Nums[i] != r.Num || s.All[i] != r.Counts.Total() || s.Hits[i] != hits {
				t.Fatalf("row %d: %d, %d of %d; want %d, %d of %d", i, s.Nums[i], s.Hits[i], s.All[i], r.Num, hits, r.Counts.Total())
			}
		}
	})
}

// Whatever the bytes, a block is decoded or refused, in memory and time that
// follow its length, and what is decoded is encoded to something that decodes
// the same.
func FuzzBlock(f *testing.F) {
	f.Add(Encode(nil, Columns{}))
	f.Add(Encode([]Row{{Num: 3, Counts: Counts{{Facet{Hidden: true, Of: "active"}, 2}}, Sep: []byte("b"), Ticks: []Tick{{7, 2}}}}, Columns{Seps: true, Ticks: true}))
	f.Add([]byte{2, 1, 2, 0, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := Decode(b)
		if err != nil {
			return
		}
		if slices.ContainsFunc(rows, func(r Row) bool {
			return r.Counts.Total() == 0 || !slices.IsSortedFunc(r.Counts, byFacet) || len(r.Counts) > 1 && repeats(r.Counts)
		}) {
			return // no encoder writes these
		}
		again, err := Decode(Encode(rows, Columns{Seps: true, Ticks: true}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rows, again, compareRows); diff != "" {
			t.Fatalf("rows (-first +second):\n%s", diff)
		}
	})
}

func byFacet(a, b FacetCount) int { return compareFacets(a.Facet, b.Facet) }

func repeats(c Counts) bool {
	for i := 1; i < len(c); i++ {
		if c[i].Facet == c[i-1].Facet {
			return true
		}
	}
	return false
}
