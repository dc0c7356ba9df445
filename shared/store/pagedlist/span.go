package pagedlist

import "bytes"

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
