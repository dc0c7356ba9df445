package pagedlist

import (
	"errors"
	"math"

	"touchline/shared/packed"
)

var errBlock = errors.New("malformed index block")

// The largest values that a block may hold: chunk numbers have ten digits at
// most, and no list has more entries than fit an int32.
const (
	maxNum   = 1e10
	maxCount = math.MaxInt32
)

// decodeBlock reads a block but for its separators and ticks.
func decodeBlock(raw []byte) (b block, nums []int, facets []facet, err error) {
	if err := packed.Unmarshal(raw, &b); err != nil {
		return block{}, nil, nil, err
	}
	end := 0
	for i := 0; i+1 < len(b.Runs); i += 2 {
		start, more := end+b.Runs[i], b.Runs[i+1]
		// Each row has a count, which takes a byte.
		if start < 0 || start > maxNum || more < 0 || more >= len(raw)-len(nums) {
			return block{}, nil, nil, errBlock
		}
		for n := range more + 1 {
			nums = append(nums, start+n)
		}
		end = start + more + 1
	}
	texts, ok := b.Facets.all()
	if !ok || len(b.Runs)%2 != 0 || b.Visible < 0 || b.Visible > len(texts) {
		return block{}, nil, nil, errBlock
	}
	facets = make([]facet, len(texts))
	for i, t := range texts {
		facets[i] = facet{hidden: i >= b.Visible, of: Facet(t)}
	}
	return b, nums, facets, nil
}

// eachCount calls count for each facet of each row, facet by facet; false where
// no encoder wrote the counts.
func (b *block) eachCount(rows, facets int, count func(facet, row, n int)) bool {
	rest := b.Counts
	next := func(limit int) (int, bool) {
		if len(rest) == 0 || rest[0] > uint64(limit) { //nolint:gosec // not negative
			return 0, false
		}
		n := rest[0]
		rest = rest[1:]
		return int(n), true //nolint:gosec // at most limit
	}
	for f := range facets {
		having, ok := next(rows)
		i := 0
		for range having {
			n, skipped := 1, 0
			if skipped, ok = next(2*rows + 1); ok && skipped%2 == 1 {
				n, ok = next(maxCount)
			}
			if i += skipped / 2; !ok || i >= rows || n == 0 {
				return false
			}
			count(f, i, n)
			i++
		}
		if !ok {
			return false
		}
	}
	return len(rest) == 0
}

// separators are those of the rows; nil where they were left out.
func (b *block) separators(rows int) ([][]byte, error) {
	if b.Seps == nil {
		return nil, nil
	}
	var t texts
	if err := packed.Value(b.Seps, &t); err != nil {
		return nil, err
	}
	seps, ok := t.all()
	if !ok || len(seps) != rows {
		return nil, errBlock
	}
	return seps, nil
}

// ticked are the ticks of the rows; nil where they were left out.
func (b *block) ticked(rows int) ([][]tick, error) {
	if b.Ticks == nil {
		return nil, nil
	}
	var t ticks
	if err := packed.Value(b.Ticks, &t); err != nil {
		return nil, err
	}
	if len(t.Rows) != rows || len(t.At) != len(t.N) {
		return nil, errBlock
	}
	all, at := make([][]tick, rows), t.First
	for i, n := range t.Rows {
		if n > uint64(len(t.At)) {
			return nil, errBlock
		}
		all[i] = make([]tick, n)
		for j := range all[i] {
			at += t.Unit * t.At[j]
			if t.N[j] > maxCount {
				return nil, errBlock
			}
			all[i][j] = tick{at, int(t.N[j])}
		}
		t.At, t.N = t.At[n:], t.N[n:]
	}
	if len(t.At) > 0 {
		return nil, errBlock
	}
	return all, nil
}

// decodeRows reads a block for an edit.
func decodeRows(raw []byte) ([]row, error) {
	b, nums, facets, err := decodeBlock(raw)
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(nums))
	for i, num := range nums {
		rows[i].num = num
	}
	if !b.eachCount(len(nums), len(facets), func(f, i, n int) {
		rows[i].counts = append(rows[i].counts, facetCount{facets[f], n})
	}) {
		return nil, errBlock
	}
	seps, err := b.separators(len(nums))
	if err != nil {
		return nil, err
	}
	for i, sep := range seps {
		rows[i].sep = sep
	}
	ticks, err := b.ticked(len(nums))
	if err != nil {
		return nil, err
	}
	for i, t := range ticks {
		rows[i].ticks = t
	}
	return rows, nil
}

// A span is what a read needs to know of a block.
type span struct {
	nums  []int
	all   []int // entries of each row
	hits  []int // those whose facet matches
	seps  [][]byte
	ticks [][]tick // nil where they were left out
}

func (s span) matching() int {
	n := 0
	for _, h := range s.hits {
		n += h
	}
	return n
}

// decodeSpan reads a block for a filter; separators and ticks only for a range.
func decodeSpan(raw []byte, match func(facet) bool, ranged bool) (span, error) {
	b, nums, facets, err := decodeBlock(raw)
	if err != nil {
		return span{}, err
	}
	s := span{nums: nums, all: make([]int, len(nums)), hits: make([]int, len(nums))}
	matches := make([]bool, len(facets))
	for i, f := range facets {
		matches[i] = match(f)
	}
	if !b.eachCount(len(nums), len(facets), func(f, i, n int) {
		s.all[i] += n
		if matches[f] {
			s.hits[i] += n
		}
	}) {
		return span{}, errBlock
	}
	if !ranged {
		return s, nil
	}
	if s.seps, err = b.separators(len(nums)); err != nil {
		return span{}, err
	}
	if s.ticks, err = b.ticked(len(nums)); err != nil {
		return span{}, err
	}
	return s, nil
}

// all are the texts; false where no encoder wrote them.
func (t *texts) all() ([][]byte, bool) {
	if len(t.Shared) != len(t.Rest) {
		return nil, false
	}
	all := make([][]byte, len(t.Rest))
	var before []byte
	for i, rest := range t.Rest {
		shared := t.Shared[i]
		if shared > uint64(len(before)) {
			return nil, false
		}
		all[i] = append(before[:shared:shared], rest...)
		before = all[i]
	}
	return all, true
}
