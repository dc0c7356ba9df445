package pagedlist

import (
	"bytes"
	"encoding/binary"

	"touchline/shared/packed"
)

// A row of an index describes a chunk; in a directory, an index page.
type row struct {
	num    int
	counts counts
	// sep is not above any key of the row and above every key before it. The
	// first row of a list begins below every key, whatever its separator says.
	sep []byte
	// ticks count the row's entries by the first eight bytes of their keys; nil
	// where they are not known.
	ticks []tick
}

type tick struct {
	at uint64
	n  int
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

// columns are what a block is to hold in addition to numbers and counts.
type columns struct{ seps, ticks bool }

// encodeBlock writes rows; ticks only where every row has them.
func encodeBlock(rows []row, include columns) []byte {
	b := block{Runs: runsOf(rows)}
	b.count(rows)
	if include.seps {
		var seps texts
		var before []byte
		for _, r := range rows {
			seps.add(before, r.sep)
			before = r.sep
		}
		b.Seps = packed.Append(nil, &seps)
	}
	if include.ticks {
		t := ticksOf(rows)
		b.Ticks = packed.Append(nil, &t)
	}
	return packed.Marshal(&b)
}

func runsOf(rows []row) []int {
	var runs []int
	end := 0
	for i := 0; i < len(rows); {
		j := i + 1
		for j < len(rows) && rows[j].num == rows[j-1].num+1 {
			j++
		}
		runs = append(runs, rows[i].num-end, j-i-1)
		end = rows[j-1].num + 1
		i = j
	}
	return runs
}

// count fills in the facets and the counts.
func (b *block) count(rows []row) {
	var all counts
	for _, r := range rows {
		all = all.addAll(r.counts)
	}
	place := make(map[facet]int, len(all))
	var before []byte
	for i, fc := range all {
		place[fc.facet] = i
		b.Facets.add(before, []byte(fc.facet.of))
		before = []byte(fc.facet.of)
		if !fc.facet.hidden {
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
		for _, fc := range r.counts {
			c := &cells[place[fc.facet]]
			skipped := uint64(i-c.next) * 2 //nolint:gosec // not negative
			if fc.n == 1 {
				c.cells = append(c.cells, skipped)
			} else {
				c.cells = append(c.cells, skipped+1, uint64(fc.n)) //nolint:gosec // a count
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

func ticksOf(rows []row) ticks {
	var t ticks
	var last uint64
	for _, r := range rows {
		t.Rows = append(t.Rows, uint64(len(r.ticks)))
		for _, one := range r.ticks {
			if len(t.At) == 0 {
				t.First, last = one.at, one.at
			}
			t.At = append(t.At, one.at-last)
			t.N = append(t.N, uint64(one.n)) //nolint:gosec // a count
			t.Unit = gcd(t.Unit, one.at-last)
			last = one.at
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

// prefix is the first eight bytes of a key, as a number that orders as they do.
func prefix(key []byte) uint64 {
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

// separator is the shortest beginning of next that is above last.
func separator(last, next []byte) []byte {
	return bytes.Clone(next[:min(commonPrefix(last, next)+1, len(next))])
}
