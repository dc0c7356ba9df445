package pagedlist

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/packed"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/pagedlist/stored"
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

func things(ranged bool) Schema[thing] {
	return Schema[thing]{
		Name:   "thing",
		Key:    keyOf,
		Facet:  func(t thing) Facet { return Facet(fmt.Sprintf("%d %s", t.Ends, t.Status)) },
		Hidden: func(t thing) bool { return t.Hidden },
		Ranged: ranged,
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

func check(t *testing.T, table *store.Table, schema Schema[thing], m model, req Request[thing]) {
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
func small() layout { return layout{chunk: 500, head: 600, page: 6, window: 60} }

// deep has some eighty entries need index pages.
func deep() layout { return layout{chunk: 180, head: 190, page: 8, window: 30} }

func TestListIsWhatASortedSliceIs(t *testing.T) {
	if testing.Short() {
		sortedSlices(t, 1)
		return
	}
	sortedSlices(t, 2)
}

func TestScaleOfListsAsSortedSlices(t *testing.T) {
	if os.Getenv("TOUCHLINE_SCALE") == "" {
		t.Skip("long; make test-scale runs it")
	}
	sortedSlices(t, 40)
}

func sortedSlices(t *testing.T, seeds uint64) {
	ts := uncounted(t)
	cases := []struct {
		name   string
		layout layout
		ids    int
		rounds int
		ranged bool
	}{
		{"chunks of half a KB", small(), 400, 40, false},
		{"chunks of half a KB, ranged", small(), 400, 40, true},
		{"pages of pages", deep(), 800, 40, false},
		{"as deployed", defaultLayout(), 3000, 12, true},
	}
	for _, c := range cases {
		for seed := range seeds {
			t.Run(fmt.Sprintf("%s, seed %d", c.name, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 1))
				table, schema := ts.table(t), things(c.ranged)
				var m model
				for round := range c.rounds {
					ops := randomOps(r, m, c.ids)
					apply(t, table, schema, ops, Options{layout: c.layout, Fresh: round == 0})
					m = m.apply(ops)
					inspect(t, table, schema, m, c.layout)
					for range 10 {
						check(t, table, schema, m, randomRequest(r, "l", m))
					}
				}
			})
		}
	}
}

func apply(t *testing.T, table *store.Table, schema Schema[thing], ops []Op[thing], options Options) Stats {
	t.Helper()
	stats, err := applyOps(t.Context(), table, schema, "l", ops, options)
	if err != nil {
		t.Fatal(err)
	}
	return stats
}

// inspect checks every item of the list "l" against the package's invariants.
func inspect(t *testing.T, table *store.Table, schema Schema[thing], m model, lay layout) {
	t.Helper()
	items, err := table.Query(context.Background(), store.Query{PK: stored.Partition("l"), Consistent: true})
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]store.Item{}
	for _, item := range items {
		var sk struct {
			SK string
		}
		unmarshal(t, item, &sk)
		at[sk.SK] = item
	}
	head := at["H"]
	if len(m) == 0 || head == nil {
		if len(m) != 0 || len(at) != 0 {
			t.Fatalf("%d entries in %d items", len(m), len(at))
		}
		return
	}
	h := stored.ParseHead(head)
	named := map[string]bool{"H": true}
	var rows []index.Row
	switch {
	case h.Index != nil:
		if got := store.Size(head); got > lay.head {
			t.Fatalf("head of %d bytes", got)
		}
		rows = decoded(t, h.Index)
	case h.Directory != nil:
		named["T"] = true
		for i, p := range decoded(t, h.Directory) {
			sk := stored.PageKey("l", p.Num).SK
			named[sk] = true
			if at[sk] == nil {
				t.Fatalf("directory names %s, which is not there", sk)
			}
			of := decoded(t, stored.Index(at[sk]))
			if len(of) > lay.page || len(of) == 0 {
				t.Fatalf("page of %d rows", len(of))
			}
			if i > 0 && !bytes.Equal(of[0].Sep, p.Sep) {
				t.Fatalf("page %d begins at %x, directory says %x", i, of[0].Sep, p.Sep)
			}
			var sum index.Counts
			for _, r := range of {
				sum = sum.AddAll(r.Counts)
			}
			if !slices.Equal(sum, p.Counts) {
				t.Fatalf("page counts %v, directory says %v", sum, p.Counts)
			}
			rows = append(rows, of...)
		}
		inspectWindow(t, rows, h.Window, lay, false)
		if tail := stored.Window(at["T"]); stored.Sum(tail) != h.TailSum {
			t.Fatal("tail has another checksum than the head knows")
		}
		inspectWindow(t, rows, stored.Window(at["T"]), lay, true)
	default:
		if got := store.Size(head); got > lay.chunk {
			t.Fatalf("head of %d bytes", got)
		}
	}
	inspectChunks(t, schema, m, lay, rows, at, named, h)
	for sk := range at {
		if !named[sk] {
			t.Fatalf("%s is there, and nothing names it", sk)
		}
	}
	found, err := Audit(t.Context(), table, schema, "l")
	if err != nil || len(found.Entries) != len(m) || found.Chunked != (rows != nil) {
		t.Fatalf("an audit of %d entries finds %d, chunked %v: %v", len(m), len(found.Entries), found.Chunked, err)
	}
}

func inspectChunks(t *testing.T, schema Schema[thing], m model, lay layout, rows []index.Row, at map[string]store.Item, named map[string]bool, h stored.Head) {
	t.Helper()
	var all []thing
	if h.Entries != nil {
		all = unpackedThings(t, h.Entries)
	}
	for i, r := range rows {
		sk := stored.ChunkKey("l", r.Num).SK
		named[sk] = true
		values := stored.Entries(at[sk])
		entries, err := schema.unpackEntries(values)
		if err != nil || len(entries) == 0 {
			t.Fatalf("%s: %d entries, %v", sk, len(entries), err)
		}
		if got := store.Size(at[sk]); got > lay.chunk && len(entries) > 1 {
			t.Fatalf("%s has %d bytes", sk, got)
		}
		want := rowOf(r.Num, r.Sep, entries, r.Ticks != nil)
		if !slices.Equal(want.Counts, r.Counts) || r.Ticks != nil && !slices.Equal(want.Ticks, r.Ticks) {
			t.Fatalf("%s: the index says %v, the chunk %v", sk, r, want)
		}
		if i > 0 && (bytes.Compare(r.Sep, entries[0].key) > 0 || bytes.Compare(r.Sep, keyOf(all[len(all)-1])) <= 0) {
			t.Fatalf("%s: separator %x does not separate", sk, r.Sep)
		}
		all = append(all, unpackedThings(t, values)...)
	}
	if !slices.Equal(m, all) {
		t.Fatalf("entries (-want +got):\n%s", cmp.Diff([]thing(m), all))
	}
}

func inspectWindow(t *testing.T, rows []index.Row, window []byte, lay layout, fromEnd bool) {
	t.Helper()
	got := decoded(t, window)
	if len(got) > len(rows) {
		t.Fatalf("window of %d rows, index of %d", len(got), len(rows))
	}
	want := rows[:len(got)]
	if fromEnd {
		want = rows[len(rows)-len(got):]
	}
	visible := 0
	for i := range got {
		if got[i].Num != want[i].Num || !slices.Equal(got[i].Counts, want[i].Counts) {
			t.Fatalf("window row %d: %v, the index says %v", i, got[i], want[i])
		}
		visible += got[i].Counts.Visible()
	}
	if visible < lay.window && len(got) < len(rows) {
		t.Fatalf("window of %d entries", visible)
	}
}

func unpackedThings(t *testing.T, b []byte) []thing {
	t.Helper()
	values, err := stored.Values(b)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]thing, len(values))
	for i, v := range values {
		if err := packed.Value(v, &all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func decoded(t *testing.T, block []byte) []index.Row {
	t.Helper()
	rows, err := index.Decode(block)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
