package list

import (
	"bytes"
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

// A span is what a read needs to know of a block.
type span struct {
	nums []int
	all  []int // entries of each row
	hits []int // those whose facet matches
	seps [][]byte
	// ticks are decoded where wanted and there.
	ticks [][]tick
}

func (s span) matching() int {
	n := 0
	for _, h := range s.hits {
		n += h
	}
	return n
}

// decodeSpan reads a block for a filter; separators and ticks only where want
// says so and they are there.
func decodeSpan(b []byte, match func(Facet) bool, want columns) (span, error) {
	var s span
	err := decodeBlock(b, want, func(n int) {
		s.all, s.hits = make([]int, n), make([]int, n)
	}, func(facets []Facet) func(f, i, n int) {
		matches := make([]bool, len(facets))
		for i, f := range facets {
			matches[i] = match(f)
		}
		return func(f, i, n int) {
			s.all[i] += n
			if matches[f] {
				s.hits[i] += n
			}
		}
	}, &s)
	return s, err
}

// decodeRows reads a block for an edit.
func decodeRows(b []byte) ([]row, error) {
	var rows []row
	var s span
	err := decodeBlock(b, columns{seps: true, ticks: true}, func(n int) {
		rows = make([]row, n)
	}, func(facets []Facet) func(f, i, n int) {
		return func(f, i, n int) { rows[i].counts = append(rows[i].counts, facetCount{facets[f], n}) }
	}, &s)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].num = s.nums[i]
		if s.seps != nil {
			rows[i].sep = s.seps[i]
		}
		if s.ticks != nil {
			rows[i].ticks = s.ticks[i]
		}
	}
	return rows, nil
}

// decodeBlock reads a block: start hears the number of rows, dictionary the
// facets, and what dictionary answers each count of facet f in row i; the rest,
// as far as want says, goes to s.
func decodeBlock(b []byte, want columns, start func(n int), dictionary func([]Facet) func(f, i, n int), s *span) error {
	r := &reader{rest: b}
	flags := r.byte()
	n := r.count()
	if r.fault || flags&^(blockSeps|blockTicks) != blockVersion {
		return errBlock
	}
	start(n)
	s.nums = readNums(r, n)
	facets := readFacets(r)
	if r.fault {
		return errBlock
	}
	readCounts(r, n, len(facets), dictionary(facets))
	if !want.seps && !r.fault {
		return nil
	}
	if flags&blockSeps != 0 {
		s.seps = readSeps(r, n)
	}
	if !want.ticks && !r.fault {
		return nil
	}
	if flags&blockTicks != 0 {
		s.ticks = readTicks(r, n)
	}
	if r.fault || len(r.rest) > 0 {
		return errBlock
	}
	return nil
}

// The largest values that are taken for true: chunk numbers have ten digits at
// most, and no list has more entries than fit an int32.
const (
	maxNum   = 1e10
	maxCount = 1<<31 - 1
)

func readNums(r *reader, n int) []int {
	nums := make([]int, 0, n)
	end := int64(0)
	for len(nums) < n && !r.fault {
		v, length := r.signed(), 1
		if v&1 == 1 {
			length = r.count0(n - len(nums))
		}
		start := end + v>>1
		if start < 0 || start > maxNum || length == 0 {
			r.fault = true
			break
		}
		for i := range length {
			nums = append(nums, int(start)+i)
		}
		end = start + int64(length)
	}
	return nums
}

func readCounts(r *reader, n, facets int, count func(f, i, n int)) {
	for f := range facets {
		having := r.count()
		if having == 0 {
			for i := range n {
				if c := int(r.number(maxCount)); c > 0 { //nolint:gosec // bounded
					count(f, i, c)
				}
			}
		}
		i := 0
		for range having {
			skipped, c := r.count0(2*n), 1
			if skipped%2 == 1 {
				c = int(r.number(maxCount)) //nolint:gosec // bounded
			}
			i += skipped / 2
			if r.fault || i >= n || c == 0 {
				r.fault = true
				return
			}
			count(f, i, c)
			i++
		}
		if r.fault {
			return
		}
	}
}

func readSeps(r *reader, n int) [][]byte {
	seps := make([][]byte, 0, n)
	var last []byte
	for range n {
		head := r.byte()
		shared, own := int(head>>4), int(head&15)
		if head == longSep {
			shared, own = r.count0(len(last)), r.count()
		}
		if shared > len(last) {
			r.fault = true
		}
		rest := r.take(own)
		if r.fault {
			return nil
		}
		sep := append(bytes.Clone(last[:shared]), rest...)
		seps = append(seps, sep)
		last = sep
	}
	return seps
}

func readTicks(r *reader, n int) [][]tick {
	ticks := make([][]tick, n)
	if len(r.rest) == 0 {
		return ticks
	}
	at := prefix(r.take(8))
	unit := r.number(1<<64 - 1)
	for i := range ticks {
		k := r.count()
		for range k {
			at += unit * r.number(1<<64-1)
			c := int(r.number(maxCount)) //nolint:gosec // bounded
			if r.fault {
				return nil
			}
			ticks[i] = append(ticks[i], tick{at, c})
		}
	}
	return ticks
}
