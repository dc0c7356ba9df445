package pagedlist

import (
	"cmp"
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
}

// weight is about what a row takes of an index, in bytes: neighbours share half of their
// separators. It depends on the row alone, so that the rows of a list are cut into pages
// alike whatever edit does it.
func (r row) weight() int { return 11 + len(r.sep)/2 + 2*len(r.counts) }

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

// A block is how rows are stored, column by column.
type block struct {
	// Facets are those of all rows, in order; the first Visible of them are of
	// visible entries.
	Facets  []string
	Visible int
	Names   []byte   // nameLength bytes for each row
	Shared  []uint64 // bytes of each separator that the one before begins with, too
	Seps    [][]byte // those that follow
	Counts  []uint64 // for each row how many facets it has, and for each its place in Facets and the count
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
	var before []byte
	for _, r := range rows {
		shared := common(before, r.sep)
		before = r.sep
		b.Names = append(b.Names, r.name...)
		b.Shared, b.Seps = append(b.Shared, uint64(shared)), append(b.Seps, r.sep[shared:]) //nolint:gosec // a length
		b.Counts = append(b.Counts, uint64(len(r.counts)))
		for _, of := range r.counts {
			b.Counts = append(b.Counts, place[of.facet], uint64(of.n)) //nolint:gosec // a count
		}
	}
	return packed.Marshal(&b)
}

// common is how many bytes a and b begin with both.
func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

var errIndex = errors.New("malformed index")

// decode reads a block. It refuses what encode cannot have written, in time and
// memory that follow its length.
func decode(raw []byte) ([]row, error) {
	var b block
	if err := packed.Unmarshal(raw, &b); err != nil {
		return nil, err
	}
	n := len(b.Seps)
	if n == 0 || len(b.Shared) != n || len(b.Names) != n*nameLength || b.Visible < 0 || b.Visible > len(b.Facets) {
		return nil, errIndex
	}
	var before []byte
	rows, names, rest := make([]row, n), string(b.Names), b.Counts
	all := make(counts, 0, len(rest)/2) // of all rows
	for i, shared := range b.Shared {
		if shared > uint64(len(before)) || len(rest) == 0 || rest[0] == 0 || rest[0] > uint64(len(rest)/2) {
			return nil, errIndex
		}
		before = append(before[:shared:shared], b.Seps[i]...)
		first, end := len(all), 1+2*int(rest[0]) //nolint:gosec // at most a length
		for of := range slices.Chunk(rest[1:end], 2) {
			if of[0] >= uint64(len(b.Facets)) || of[1] == 0 || of[1] > math.MaxInt32 {
				return nil, errIndex
			}
			place := int(of[0])                                                              //nolint:gosec // below a length
			all = append(all, count{facet{place >= b.Visible, b.Facets[place]}, int(of[1])}) //nolint:gosec // bounded
		}
		rows[i] = row{name: names[i*nameLength : (i+1)*nameLength], sep: before, counts: all[first:len(all):len(all)]}
		rest = rest[end:]
	}
	if len(rest) > 0 {
		return nil, errIndex
	}
	return rows, nil
}
