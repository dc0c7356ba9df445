// Package index encodes the index of a paged list: for each chunk of the list its
// number, how many of its entries have each facet, and where its keys begin. From
// it a read knows the total of a filter, and which chunks hold a page, without
// reading entries.
//
// [Encode] writes rows as a block, column by column, since neighbouring rows differ
// little: numbers as runs, counts facet by facet, and separators and ticks apart,
// so that a read without a range of keys skips them. [Decode] reads the rows back
// for an edit, and [DecodeSpan] only what a read needs. 770 chunks, which are
// 10,000 entries of 250 bytes, take 1.6 KB without separators and ticks.
//
// A block that Encode cannot have written is refused, in time and memory that
// follow its length.
package index

import (
	"bytes"
	"encoding/binary"
	"slices"

	"touchline/shared/packed"
)

// A Row describes a chunk; in a directory, an index page.
type Row struct {
	Num    int // of the chunk or page, below MaxNum
	Counts Counts
	// Sep, the separator, is at or below every key of the row and above every key
	// before it. The first row of a list begins below every key, whatever its
	// separator says.
	Sep []byte
	// Ticks count the row's entries by the first eight bytes of their keys; nil:
	// not known.
	Ticks []Tick
}

// A Tick is how many entries have keys with the same Prefix.
type Tick struct {
	At uint64
	N  int
}

// A block is how rows are stored: column by column, since neighbours differ
// little. Separators and ticks are packed apart: reads without a range do
// without them.
type block struct {
	// Runs are of consecutive numbers: the start, less the end of the run before,
	// and how many follow it.
	Runs []int
	// Facets are those of all rows, in order; the first Visible of them are of
	// visible entries.
	Facets  texts
	Visible int
	// Counts are, for each facet, the number of rows that have it, and for each
	// of these twice the number of rows skipped; where it has more than one entry
	// of the facet, plus one, and the number of entries follows.
	Counts []uint64
	Seps   []byte // packed texts; nil: left out
	Ticks  []byte // packed ticks; nil: left out
}

// texts are byte strings of which each begins like the one before.
type texts struct {
	Shared []uint64 // bytes in common with the one before
	Rest   [][]byte // those that follow
}

// ticks are the ticks of all rows.
type ticks struct {
	Rows  []uint64 // ticks of each row
	First uint64
	Unit  uint64   // what all distances are multiples of
	At    []uint64 // distance from the tick before, in units
	N     []uint64 // entries
}

// Columns are what a block is to hold in addition to numbers and counts.
type Columns struct{ Seps, Ticks bool }

// Encode writes rows as a block. Ticks are left out unless every row has them.
func Encode(rows []Row, include Columns) []byte {
	b := block{Runs: runsOf(rows)}
	b.count(rows)
	if include.Seps {
		var seps texts
		var before []byte
		for _, r := range rows {
			seps.add(before, r.Sep)
			before = r.Sep
		}
		b.Seps = packed.Append(nil, &seps)
	}
	if include.Ticks && !slices.ContainsFunc(rows, func(r Row) bool { return r.Ticks == nil }) {
		t := ticksOf(rows)
		b.Ticks = packed.Append(nil, &t)
	}
	return packed.Marshal(&b)
}

func runsOf(rows []Row) []int {
	var runs []int
	end := 0
	for i := 0; i < len(rows); {
		j := i + 1
		for j < len(rows) && rows[j].Num == rows[j-1].Num+1 {
			j++
		}
		runs = append(runs, rows[i].Num-end, j-i-1)
		end = rows[j-1].Num + 1
		i = j
	}
	return runs
}

// count fills in the facets and the counts.
func (b *block) count(rows []Row) {
	var all Counts
	for _, r := range rows {
		all = all.AddAll(r.Counts)
	}
	place := make(map[Facet]int, len(all))
	var before []byte
	for i, fc := range all {
		place[fc.Facet] = i
		b.Facets.add(before, []byte(fc.Facet.Of))
		before = []byte(fc.Facet.Of)
		if !fc.Facet.Hidden {
			b.Visible++
		}
	}
	type column struct {
		rows  uint64
		next  int // the row after the last one that has the facet
		cells []uint64
	}
	cells := make([]column, len(all))
	for i, r := range rows {
		for _, fc := range r.Counts {
			c := &cells[place[fc.Facet]]
			skipped := uint64(i-c.next) * 2 //nolint:gosec // not negative
			if fc.N == 1 {
				c.cells = append(c.cells, skipped)
			} else {
				c.cells = append(c.cells, skipped+1, uint64(fc.N)) //nolint:gosec // a count
			}
			c.rows++
			c.next = i + 1
		}
	}
	for _, c := range cells {
		b.Counts = append(append(b.Counts, c.rows), c.cells...)
	}
}

func (t *texts) add(before, text []byte) {
	n := commonPrefix(before, text)
	t.Shared = append(t.Shared, uint64(n)) //nolint:gosec // a length
	t.Rest = append(t.Rest, text[n:])
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func ticksOf(rows []Row) ticks {
	var t ticks
	var last uint64
	for _, r := range rows {
		t.Rows = append(t.Rows, uint64(len(r.Ticks)))
		for _, one := range r.Ticks {
			if len(t.At) == 0 {
				t.First, last = one.At, one.At
			}
			t.At = append(t.At, one.At-last)
			t.N = append(t.N, uint64(one.N)) //nolint:gosec // a count
			t.Unit = gcd(t.Unit, one.At-last)
			last = one.At
		}
	}
	for i := range t.At {
		t.At[i] /= max(t.Unit, 1)
	}
	return t
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Prefix is the first eight bytes of a key, as a number that orders as they do.
func Prefix(key []byte) uint64 {
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

// Separator is the shortest beginning of next that is above last.
func Separator(last, next []byte) []byte {
	return bytes.Clone(next[:min(commonPrefix(last, next)+1, len(next))])
}
