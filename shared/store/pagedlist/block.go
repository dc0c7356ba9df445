package pagedlist

import (
	"encoding/binary"
	"slices"
)

// A block is an index or a part of one: a sequence of rows, each about a chunk
// (in a directory, about an index page), stored by columns, since most columns
// compress to little:
//
//	byte      1: with separators; 2: with ticks; 16: the version
//	varint    rows
//	numbers   runs of consecutive ones, in all as many as rows: twice the signed
//	          start, less the end of the run before, and where the run is longer
//	          than one: plus one, and the length
//	facets    the dictionary (facet.go)
//	counts    per facet: 0 and a count for each row, or the number of rows that
//	          have any, and for each of these twice the rows skipped, and where
//	          it has more than one: plus one, and the count
//	seps      per row: the bytes shared with the separator before, those not
//	          shared, and these
//	ticks     unit, then per row: how many, and {tick less the one before, in
//	          units; count} for each
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

const (
	blockSeps = 1 << iota
	blockTicks
	blockVersion = 1 << 4
)

// columns are what a block is to hold of its rows.
type columns struct{ seps, ticks bool }

// encodeBlock writes rows; with ticks only where every row has them.
func encodeBlock(rows []row, with columns) []byte {
	flags := byte(blockVersion)
	if with.seps {
		flags |= blockSeps
	}
	if with.ticks {
		flags |= blockTicks
	}
	b := appendNumber([]byte{flags}, len(rows))
	b = appendNums(b, rows)
	b = appendCounts(b, rows)
	if with.seps {
		b = appendSeps(b, rows)
	}
	if with.ticks {
		b = appendTicks(b, rows)
	}
	return b
}

func appendNums(b []byte, rows []row) []byte {
	end := 0
	for i := 0; i < len(rows); {
		j := i + 1
		for j < len(rows) && rows[j].num == rows[j-1].num+1 {
			j++
		}
		start := int64(rows[i].num-end) * 2
		if j-i == 1 {
			b = appendSigned(b, start)
		} else {
			b = appendNumber(appendSigned(b, start+1), j-i)
		}
		end = rows[j-1].num + 1
		i = j
	}
	return b
}

func appendCounts(b []byte, rows []row) []byte {
	var all counts
	for _, r := range rows {
		all = all.addAll(r.counts)
	}
	facets := make([]Facet, len(all))
	place := make(map[Facet]int, len(all))
	for i, fc := range all {
		facets[i] = fc.facet
		place[fc.facet] = i
	}
	b = appendFacets(b, facets)
	dense := make([][]byte, len(facets))
	sparse := make([][]byte, len(facets))
	having := make([]int, len(facets))
	last := make([]int, len(facets)) // the row after the last one that has any
	for i, r := range rows {
		for _, fc := range r.counts {
			f := place[fc.facet]
			for range i - last[f] {
				dense[f] = append(dense[f], 0)
			}
			dense[f] = appendNumber(dense[f], fc.n)
			skipped := 2 * (i - last[f])
			if fc.n == 1 {
				sparse[f] = appendNumber(sparse[f], skipped)
			} else {
				sparse[f] = appendNumber(appendNumber(sparse[f], skipped+1), fc.n)
			}
			having[f]++
			last[f] = i + 1
		}
	}
	for f := range facets {
		if len(dense[f])+len(rows)-last[f] <= len(sparse[f]) {
			b = append(append(b, 0), dense[f]...)
			b = append(b, make([]byte, len(rows)-last[f])...)
		} else {
			b = append(appendNumber(b, having[f]), sparse[f]...)
		}
	}
	return b
}

// A separator's two lengths share a byte where both are below 15.
const longSep = 0xff

func appendSeps(b []byte, rows []row) []byte {
	var last []byte
	for _, r := range rows {
		shared := 0
		for shared < len(last) && shared < len(r.sep) && last[shared] == r.sep[shared] {
			shared++
		}
		if own := len(r.sep) - shared; shared < 15 && own < 15 {
			b = append(b, byte(shared<<4|own)) //nolint:gosec // both below 15
		} else {
			b = appendNumber(appendNumber(append(b, longSep), shared), own)
		}
		b = append(b, r.sep[shared:]...)
		last = r.sep
	}
	return b
}

func appendTicks(b []byte, rows []row) []byte {
	var unit, last uint64
	first := true
	for _, r := range rows {
		for _, t := range r.ticks {
			if first {
				last, first = t.at, false
				b = binary.BigEndian.AppendUint64(b, last)
			}
			unit = gcd(unit, t.at-last)
			last = t.at
		}
	}
	if first {
		return b
	}
	unit = max(unit, 1)
	b = binary.AppendUvarint(b, unit)
	last = rows[slices.IndexFunc(rows, func(r row) bool { return len(r.ticks) > 0 })].ticks[0].at
	for _, r := range rows {
		b = appendNumber(b, len(r.ticks))
		for _, t := range r.ticks {
			b = appendNumber(binary.AppendUvarint(b, (t.at-last)/unit), t.n)
			last = t.at
		}
	}
	return b
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
