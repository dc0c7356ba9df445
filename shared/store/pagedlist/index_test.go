package pagedlist

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"touchline/shared/packed"
)

var compareRows = cmp.Options{cmpopts.EquateEmpty(), cmp.AllowUnexported(row{}, count{}, facet{})}

func rowsFrom(t *rapid.T) []row {
	facets := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) facet {
		return facet{rapid.Bool().Draw(t, "hidden"), rapid.StringN(0, 4, -1).Draw(t, "of")}
	}), 1, 8, rapid.ID[facet]).Draw(t, "facets")
	var sep []byte
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) row {
		r := row{name: string(rapid.SliceOfN(rapid.Byte(), nameLength, nameLength).Draw(t, "name"))}
		for range rapid.IntRange(1, 3).Draw(t, "counts") {
			r.counts = r.counts.add(rapid.SampledFrom(facets).Draw(t, "facet"), rapid.IntRange(1, 400).Draw(t, "n"))
		}
		sep = append(slices.Clone(sep[:rapid.IntRange(0, len(sep)).Draw(t, "shared")]), rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "own")...)
		r.sep = sep
		return r
	}), 1, 40).Draw(t, "rows")
}

func TestABlockGivesBackWhatItTook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rowsFrom(t)
		got, err := decode(encode(rows))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rows, got, compareRows); diff != "" {
			t.Fatalf("rows (-want +got):\n%s", diff)
		}
	})
}

// Whatever the bytes, a block is decoded or refused, and what is decoded is encoded to
// something that decodes the same.
func FuzzBlock(f *testing.F) {
	f.Add(encode([]row{{name: "12345678", counts: counts{{facet{hidden: true, of: "active"}, 2}}, sep: []byte("b")}}))
	f.Add([]byte{2, 1, 2, 0, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := decode(b)
		if err != nil {
			return
		}
		if slices.ContainsFunc(rows, func(r row) bool { return !isOrdered(r) }) {
			return // encode writes none of these
		}
		again, err := decode(encode(rows))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rows, again, compareRows); diff != "" {
			t.Fatalf("rows (-first +second):\n%s", diff)
		}
	})
}

func isOrdered(r row) bool {
	for i := 1; i < len(r.counts); i++ {
		if r.counts[i-1].facet.compare(r.counts[i].facet) >= 0 {
			return false
		}
	}
	return true
}

// What encode cannot have written is refused.
func TestAMalformedBlockIsRefused(t *testing.T) {
	one := func(change func(*block)) []byte {
		b := block{Facets: []string{"a"}, Visible: 1, Names: []byte("12345678"), Shared: []uint64{0}, Seps: [][]byte{nil}, Counts: []uint64{1, 0, 1}}
		change(&b)
		return packed.Marshal(&b)
	}
	if _, err := decode(one(func(*block) {})); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*block){
		"no rows":                func(b *block) { b.Names, b.Shared, b.Seps, b.Counts = nil, nil, nil, nil },
		"more visible facets":    func(b *block) { b.Visible = 2 },
		"fewer than none":        func(b *block) { b.Visible = -1 },
		"a name of another size": func(b *block) { b.Names = b.Names[1:] },
		"more names":             func(b *block) { b.Names = append(b.Names, b.Names...) },
		"no counts":              func(b *block) { b.Counts = nil },
		"of no facet":            func(b *block) { b.Counts = []uint64{0} },
		"of more than there are": func(b *block) { b.Counts[0] = 2 },
		"more counts":            func(b *block) { b.Counts = append(b.Counts, 1) },
		"a facet that is not":    func(b *block) { b.Counts[1] = 1 },
		"a count of nothing":     func(b *block) { b.Counts[2] = 0 },
		"a count beyond bounds":  func(b *block) { b.Counts[2] = 1 << 40 },
		"more shared than is":    func(b *block) { b.Shared[0] = 1 },
		"shared of more rows":    func(b *block) { b.Shared = []uint64{0, 0} },
	} {
		if _, err := decode(one(change)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
