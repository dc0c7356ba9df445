package pagedlist

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// thing is the payload of the tests' lists.
type thing struct {
	ID     int
	At     uint64
	Status string
	Ends   int64
	Hidden bool
	Text   string
}

func keyOf(t thing) []byte {
	return fmt.Appendf(binary.BigEndian.AppendUint64(nil, t.At), "%08d", t.ID)
}

func things() Schema[thing] {
	return Schema[thing]{
		Name:   "thing",
		Key:    keyOf,
		Facet:  func(t thing) Facet { return Facet(fmt.Sprintf("%d %s", t.Ends, t.Status)) },
		Hidden: func(t thing) bool { return t.Hidden },
	}
}

func rare(f Facet) bool { return strings.HasSuffix(string(f), " rare") }

// endless selects what does not end, or later than 3.
func endless(f Facet) bool { return f[0] == '0' || f[0] > '3' }

// model is a list as a slice.
type model []thing

func (m model) apply(ops []Op[thing]) model {
	m = slices.Clone(m)
	for _, op := range ops {
		i, found := slices.BinarySearchFunc(m, op.Key, func(t thing, key []byte) int { return bytes.Compare(keyOf(t), key) })
		switch {
		case op.Put == nil && found:
			m = slices.Delete(m, i, i+1)
		case op.Put != nil && found:
			m[i] = *op.Put
		case op.Put != nil:
			m = slices.Insert(m, i, *op.Put)
		}
	}
	return m
}

// read is what a request must answer.
func (m model) read(schema Schema[thing], req Request[thing]) ([]thing, int) {
	var all []thing
	for _, t := range m {
		key := keyOf(t)
		if req.selects(schema.facet(t)) &&
			(req.From == nil || bytes.Compare(key, req.From) >= 0) &&
			(req.To == nil || bytes.Compare(key, req.To) < 0) &&
			(req.Where == nil || req.Where(t)) {
			all = append(all, t)
		}
	}
	if req.Reverse {
		slices.Reverse(all)
	}
	from := min(req.Offset, len(all))
	to := min(from+req.Limit, len(all))
	return all[from:to], len(all)
}

func reads(t *testing.T, table *memory, schema Schema[thing], m model, req Request[thing]) {
	t.Helper()
	got, total, err := Read(t.Context(), table.BatchGet, schema, req)
	if err != nil {
		t.Fatalf("%s: %v", describe(req), err)
	}
	want, wantTotal := m.read(schema, req)
	if !slices.Equal(want, got) || total != wantTotal {
		t.Fatalf("%s: total %d, want %d; page (-want +got):\n%s", describe(req), total, wantTotal, cmp.Diff(want, got))
	}
}

func describe(req Request[thing]) string {
	return fmt.Sprintf("reverse %v, match %v, where %v, from %x, to %x, offset %d, limit %d, hidden %v",
		req.Reverse, req.Match != nil, req.Where != nil, req.From, req.To, req.Offset, req.Limit, req.WithHidden)
}

// randomRequest asks for any part of m.
func randomRequest(r *rand.Rand, list string, m model) Request[thing] {
	req := Request[thing]{List: list, Reverse: r.IntN(2) == 0, WithHidden: r.IntN(4) == 0}
	switch r.IntN(4) {
	case 0:
		req.Match = rare
	case 1:
		req.Match = endless
	}
	if r.IntN(6) == 0 {
		req.Where = func(t thing) bool { return t.ID%3 == 0 }
	}
	bound := func() []byte {
		if len(m) == 0 || r.IntN(3) == 0 {
			return nil
		}
		key := keyOf(m[r.IntN(len(m))])
		switch r.IntN(4) {
		case 0:
			return key
		case 1:
			return key[:r.IntN(9)]
		default:
			return key[:8]
		}
	}
	if r.IntN(2) == 0 {
		req.From, req.To = bound(), bound()
	}
	req.Limit = []int{0, 1, 7, 25, 100, 1 << 40}[r.IntN(6)]
	if len(m) > 0 && r.IntN(3) > 0 {
		req.Offset = r.IntN(len(m) + 2)
	}
	return req
}

func randomThing(r *rand.Rand, ids int) thing {
	t := thing{ID: r.IntN(ids), Text: strings.Repeat("x", r.IntN(60))}
	t.At = uint64(t.ID/3) * 1000 //nolint:gosec // small
	if r.IntN(10) == 0 {
		t.Status = "rare"
	}
	if r.IntN(5) == 0 {
		t.Ends = r.Int64N(6)
	}
	t.Hidden = r.IntN(12) == 0
	return t
}

// randomOps edits a list towards ids distinct entries, or away from them.
func randomOps(r *rand.Rand, m model, ids int) []Op[thing] {
	n := []int{1, 1, 3, 30, ids / 3}[r.IntN(5)]
	deletes := r.IntN(4)
	ops := make([]Op[thing], 0, n)
	for range n {
		switch {
		case len(m) > 0 && r.IntN(4) < deletes:
			ops = append(ops, Op[thing]{Key: keyOf(m[r.IntN(len(m))])})
		case len(m) > 0 && r.IntN(3) == 0:
			same := m[r.IntN(len(m))]
			same.Text = strings.Repeat("y", r.IntN(60))
			ops = append(ops, Op[thing]{Key: keyOf(same), Put: &same})
		default:
			some := randomThing(r, ids)
			ops = append(ops, Op[thing]{Key: keyOf(some), Put: &some})
		}
	}
	gone := model{}
	switch from := r.IntN(len(m) + 1); r.IntN(24) {
	case 0:
		gone = m
	case 1, 2, 3: // a part
		gone = m[from:min(from+len(m)/3, len(m))]
	case 4: // almost all
		gone = m[min(len(m), 10):]
	}
	for _, t := range gone {
		ops = append(ops, Op[thing]{Key: keyOf(t)})
	}
	return ops
}

// small cuts lists up early, so that few entries make a deep list.
func small() sizes {
	return sizes{full: 300, chunk: bounds{160, 260, 50}, index: 500, page: bounds{200, 260, 60}}
}

// deep has some forty entries need index pages.
func deep() sizes {
	return sizes{full: 100, chunk: bounds{55, 90, 20}, index: 200, page: bounds{75, 110, 30}}
}

func TestSizesTellWhatDoesNotFitAHead(t *testing.T) {
	for name, s := range map[string]sizes{"as deployed": defaultSizes(), "small": small(), "deep": deep()} {
		if fewChunks*s.chunk.least < s.full || fewPages*s.page.least < s.index {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestListIsWhatASortedSliceIs(t *testing.T) {
	if testing.Short() {
		sortedSlices(t, 1)
		return
	}
	sortedSlices(t, 4)
}

func TestScaleOfListsAsSortedSlices(t *testing.T) {
	if os.Getenv("TOUCHLINE_SCALE") == "" {
		t.Skip("long; make test-scale runs it")
	}
	sortedSlices(t, 60)
}

// Whatever edits a list has had: its items are those of a list that is written at once,
// a check of it finds nothing, and what it answers is what a sorted slice answers.
func sortedSlices(t *testing.T, seeds uint64) {
	cases := []struct {
		name   string
		sizes  sizes
		ids    int
		rounds int
	}{
		{"chunks", small(), 400, 40},
		{"pages", deep(), 800, 60},
		{"as deployed", defaultSizes(), 3000, 12},
	}
	for _, c := range cases {
		for seed := range seeds {
			t.Run(fmt.Sprintf("%s, seed %d", c.name, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 1))
				table := newMemory()
				var m model
				for range c.rounds {
					ops := randomOps(r, m, c.ids)
					apply(t, table, things(), ops, Options{sizes: c.sizes})
					m = m.apply(ops)
					inspect(t, table, things(), m, c.sizes)
					for range 10 {
						reads(t, table, things(), m, randomRequest(r, "l", m))
					}
				}
			})
		}
	}
}

// A list grows and shrinks entry by entry: from its head to chunks, to index pages, and
// back at the same lengths.
func TestAListGrowsAndShrinks(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 2))
		table, schema, m := newMemory(), things(), model(nil)
		all, sizes := filling(70)(nil), []sizes{small(), deep()}[seed%2]
		for _, shrinks := range []bool{false, true} {
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for _, op := range all {
				if shrinks {
					op.Put = nil
				}
				ops := []Op[thing]{op}
				apply(t, table, schema, ops, Options{sizes: sizes})
				m = m.apply(ops)
				inspect(t, table, schema, m, sizes)
			}
		}
	}
}

// apply makes ops on the list "l".
func apply[T any](t *testing.T, table Table, schema Schema[T], ops []Op[T], options Options) {
	t.Helper()
	if err := applyOps(t, table, schema, ops, options); err != nil {
		t.Fatal(err)
	}
}

func applyOps[T any](t *testing.T, table Table, schema Schema[T], ops []Op[T], options Options) error {
	t.Helper()
	changes, err := schema.Changes("l", ops)
	if err != nil {
		t.Fatal(err)
	}
	return Apply(t.Context(), table, schema, []Changes{changes}, options)
}

// puts are the ops that fill a list.
func puts[T any](all []T) []Op[T] {
	ops := make([]Op[T], len(all))
	for i := range all {
		ops[i].Put = &all[i]
	}
	return ops
}

// inspect compares the items of a list with those of one that is written at once, and
// checks it.
func inspect(t *testing.T, table *memory, schema Schema[thing], m model, s sizes) {
	t.Helper()
	once := newMemory()
	apply(t, once, schema, puts(m), Options{sizes: s, Fresh: true})
	sameItems(t, once, table)
	changes, err := schema.Changes("l", puts(m))
	if err != nil {
		t.Fatal(err)
	}
	if found, err := check(schema, changes, table.list(), Options{Fresh: true, sizes: s}); len(found.Mend) > 0 || err != nil {
		t.Fatalf("a check finds %+v, %v", found, err)
	}
}
