package pagedlist

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"touchline/shared/packed"
)

// A row of an index describes a chunk; a row of a directory an index page.
type row struct {
	name   string // of the chunk or page
	counts counts
	// sep, the separator, is at or below every key of the row and above every key
	// before it; it is empty in the first row of a list.
	sep []byte
	// ticks count the entries by the first eight bytes of their keys; nil: not
	// counted.
	ticks []tick
}

// weight is about what a row takes of an index, in bytes: neighbours share half of their
// separators. It depends on the row alone, so that the rows of a list are cut into pages
// alike whatever edit does it.
func (r row) weight() int { return 13 + len(r.sep)/2 + 2*len(r.counts) + 3*len(r.ticks) }

// A tick is how many entries have keys that begin with the same eight bytes.
type tick struct {
	at uint64
	n  int
}

// prefix is the first eight bytes of a key, as a number that orders as they do.
func prefix(key []byte) uint64 {
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

// A facet is what entries are counted by.
type facet struct {
	hidden bool   // of entries that most requests do not see
	of     string // the caller's bytes
}

// compare puts visible entries before hidden ones.
func (f facet) compare(g facet) int {
	switch {
	case f.hidden == g.hidden:
		return cmp.Compare(f.of, g.of)
	case g.hidden:
		return -1
	}
	return 1
}

// counts are how many entries have each facet, ordered by facet, without zeros.
type counts []count

type count struct {
	facet facet
	n     int
}

func (c counts) total() int {
	n := 0
	for _, of := range c {
		n += of.n
	}
	return n
}

// add counts n more entries with a facet; c is not used after it.
func (c counts) add(f facet, n int) counts {
	i, found := slices.BinarySearchFunc(c, f, func(of count, f facet) int { return of.facet.compare(f) })
	if found {
		c[i].n += n
		return c
	}
	return slices.Insert(c, i, count{f, n})
}

// addAll adds other counts; c is not used after it.
func (c counts) addAll(d counts) counts {
	for _, of := range d {
		c = c.add(of.facet, of.n)
	}
	return c
}

// A block is how rows are stored.
type block struct {
	// Facets are those of all rows, in order; the first Visible of them are of
	// visible entries.
	Facets  []string
	Visible int
	First   uint64 // tick
	Unit    uint64 // what all distances between ticks are multiples of
	Rows    []blockRow
}

type blockRow struct {
	Name   string
	Shared int      // bytes of the separator that the one before begins with, too
	Sep    []byte   // those that follow
	Counts []uint64 // for each facet of the row its place in Facets, and the count
	Ticks  []uint64 // for each the distance from the one before, in units, and the count
}

// encode writes rows as a block. Equal rows have equal bytes.
func encode(rows []row) []byte {
	var b block
	var all counts
	for _, r := range rows {
		all = all.addAll(r.counts)
	}
	place := make(map[facet]uint64, len(all))
	for i, of := range all {
		place[of.facet] = uint64(i)
		b.Facets = append(b.Facets, of.facet.of)
		if !of.facet.hidden {
			b.Visible++
		}
	}
	last := b.measureTicks(rows)
	var before []byte
	for _, r := range rows {
		shared := common(before, r.sep)
		to := blockRow{Name: r.name, Shared: shared, Sep: r.sep[shared:]}
		before = r.sep
		for _, of := range r.counts {
			to.Counts = append(to.Counts, place[of.facet], uint64(of.n)) //nolint:gosec // a count
		}
		for _, t := range r.ticks {
			to.Ticks = append(to.Ticks, (t.at-last)/b.Unit, uint64(t.n)) //nolint:gosec // a count
			last = t.at
		}
		b.Rows = append(b.Rows, to)
	}
	return packed.Marshal(&b)
}

// measureTicks sets First, which it returns, and Unit.
func (b *block) measureTicks(rows []row) uint64 {
	began := false
	last := uint64(0)
	for _, r := range rows {
		for _, t := range r.ticks {
			if !began {
				began, b.First, last = true, t.at, t.at
			}
			b.Unit = gcd(b.Unit, t.at-last)
			last = t.at
		}
	}
	b.Unit = max(b.Unit, 1)
	return b.First
}

// common is how many bytes a and b begin with both.
func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

var errIndex = errors.New("malformed index")

// decode reads a block. It refuses what encode cannot have written, in time and
// memory that follow its length.
func decode(raw []byte) ([]row, error) {
	var b block
	if err := packed.Unmarshal(raw, &b); err != nil {
		return nil, err
	}
	if len(b.Rows) == 0 || b.Visible < 0 || b.Visible > len(b.Facets) {
		return nil, errIndex
	}
	last := b.First
	var before []byte
	rows := make([]row, len(b.Rows))
	for i, from := range b.Rows {
		if from.Shared < 0 || from.Shared > len(before) {
			return nil, errIndex
		}
		before = append(before[:from.Shared:from.Shared], from.Sep...)
		r := row{name: from.Name, sep: before}
		if len(from.Name) != nameLength || len(from.Counts) == 0 || len(from.Counts)%2+len(from.Ticks)%2 > 0 {
			return nil, errIndex
		}
		for of := range slices.Chunk(from.Counts, 2) {
			if of[0] >= uint64(len(b.Facets)) || of[1] == 0 || of[1] > math.MaxInt32 {
				return nil, errIndex
			}
			place := int(of[0])                                                                        //nolint:gosec // below a length
			r.counts = append(r.counts, count{facet{place >= b.Visible, b.Facets[place]}, int(of[1])}) //nolint:gosec // bounded
		}
		for of := range slices.Chunk(from.Ticks, 2) {
			if of[1] > math.MaxInt32 {
				return nil, errIndex
			}
			last += of[0] * b.Unit
			r.ticks = append(r.ticks, tick{last, int(of[1])}) //nolint:gosec // bounded
		}
		rows[i] = r
	}
	return rows, nil
}
