package pagedlist

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// Where lists are cut; only tests have others than defaultSizes.
type sizes struct {
	full  int // bytes of the entries of a list that is in its head, at most
	chunk bounds
	index int // weight of the rows of a head, at most
	page  bounds
}

// bounds say where things are cut into runs: after the first whose hash is a cut, once the
// run has least bytes, or at the latest once it has most. Of every mean bytes one is a cut,
// however large the things are.
type bounds struct{ least, most, mean int }

// defaultSizes: DynamoDB charges half a read unit for every started 4096 bytes. With its
// key, a list in its head and nearly every chunk takes half a unit, and so does an index
// page; an index in the head takes one. A chunk has 2,700 bytes in the middle, so that
// an index holds 8,000 entries and more of up to 130 bytes.
//
// Four chunks are more than full, and six pages more than index, even where the last
// one is short (fewChunks, fewPages). So an edit that finds as many knows, without reading
// them, that they do not fit the head.
func defaultSizes() sizes {
	return sizes{
		full:  3900,
		chunk: bounds{least: 1300, most: 3700, mean: 1200},
		index: 8000,
		page:  bounds{least: 1650, most: 3900, mean: 1000},
	}
}

// The most chunks that a list in its head can be cut into, and the most pages of an
// index in a head.
const (
	fewChunks = 3
	fewPages  = 5
)

// cut divides things into runs. Closed says that the last one ends with a cut.
func cut[E any](all []E, b bounds, size func(E) int, hash func(E) uint64) (runs [][]E, closed bool) {
	from, n := 0, 0
	for i, e := range all {
		n += size(e)
		if n >= b.most || n >= b.least && hash(e)%uint64(b.mean) < uint64(size(e)) { //nolint:gosec // not negative
			runs = append(runs, all[from:i+1:i+1])
			from, n = i+1, 0
		}
	}
	if from == len(all) {
		return runs, true
	}
	return append(runs, all[from:]), false
}

// cutEntries divides entries into chunks.
func (s sizes) cutEntries(entries []entry) (chunks [][]entry, closed bool) {
	return cut(entries, s.chunk, entry.size, func(e entry) uint64 {
		sum := sha256.Sum256(e.key)
		return binary.BigEndian.Uint64(sum[:])
	})
}

// cutRows divides the rows of chunks into index pages. The name of a chunk is a hash.
func (s sizes) cutRows(rows []row) (pages [][]row, closed bool) {
	return cut(rows, s.page, row.weight, func(r row) uint64 { return binary.BigEndian.Uint64([]byte(r.name)) })
}

// nameLength is how many bytes a name has. In a list of a million chunks, one in
// thirty million has two of one name.
const nameLength = 8

func nameOf(b []byte) string {
	sum := sha256.Sum256(b)
	return string(sum[:nameLength])
}

// rowOf describes a chunk. Its name follows from the keys and facets of its entries,
// which are all that the row says.
func rowOf(entries []entry, sep []byte) row {
	r := row{sep: sep}
	var said []byte
	for _, e := range entries {
		said = binary.AppendUvarint(said, uint64(len(e.key)))
		said = append(said, e.key...)
		said = e.facet.append(said)
		r.counts = r.counts.add(e.facet, 1)
	}
	r.name = nameOf(said)
	return r
}

// pageRow describes an index page, whose name follows from all that it says.
func pageRow(rows []row, block []byte) row {
	r := row{name: nameOf(block), sep: rows[0].sep}
	for _, of := range rows {
		r.counts = r.counts.addAll(of.counts)
	}
	return r
}

// separator is the shortest beginning of next that is above last.
func separator(last, next []byte) []byte {
	return bytes.Clone(next[:min(common(last, next)+1, len(next))])
}
