package index

import (
	"errors"
	"math"

	"touchline/shared/packed"
)

var errBlock = errors.New("malformed index block")

// MaxNum is above every number of a chunk or page: these have ten digits.
const MaxNum = 1e10

// maxCount bounds the entries of a row: no list has more than fit an int32.
const maxCount = math.MaxInt32

// decodeBlock reads a block without its separators and ticks.
func decodeBlock(raw []byte) (b block, nums []int, facets []Facet, err error) {
	if err := packed.Unmarshal(raw, &b); err != nil {
		return block{}, nil, nil, err
	}
	end := 0
	for i := 0; i+1 < len(b.Runs); i += 2 {
		start, more := end+b.Runs[i], b.Runs[i+1]
		// Each row has a count, which takes a byte.
		if start < 0 || start > MaxNum || more < 0 || more >= len(raw)-len(nums) {
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
	facets = make([]Facet, len(texts))
	for i, t := range texts {
		facets[i] = Facet{Hidden: i >= b.Visible, Of: string(t)}
	}
	return b, nums, facets, nil
}

// eachCount calls count for each facet of each row, facet by facet. It returns
// false for counts that Encode cannot have written.
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

// separators returns those of the rows, nil if they were left out.
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

// ticked returns the ticks of the rows, nil if they were left out.
func (b *block) ticked(rows int) ([][]Tick, error) {
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
	all, at := make([][]Tick, rows), t.First
	for i, n := range t.Rows {
		if n > uint64(len(t.At)) {
			return nil, errBlock
		}
		all[i] = make([]Tick, n)
		for j := range all[i] {
			at += t.Unit * t.At[j]
			if t.N[j] > maxCount {
				return nil, errBlock
			}
			all[i][j] = Tick{at, int(t.N[j])}
		}
		t.At, t.N = t.At[n:], t.N[n:]
	}
	if len(t.At) > 0 {
		return nil, errBlock
	}
	return all, nil
}

// Decode reads a whole block. The error says that it is damaged.
func Decode(raw []byte) ([]Row, error) {
	b, nums, facets, err := decodeBlock(raw)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(nums))
	for i, num := range nums {
		rows[i].Num = num
	}
	if !b.eachCount(len(nums), len(facets), func(f, i, n int) {
		rows[i].Counts = append(rows[i].Counts, FacetCount{facets[f], n})
	}) {
		return nil, errBlock
	}
	seps, err := b.separators(len(nums))
	if err != nil {
		return nil, err
	}
	for i, sep := range seps {
		rows[i].Sep = sep
	}
	ticks, err := b.ticked(len(nums))
	if err != nil {
		return nil, err
	}
	for i, t := range ticks {
		rows[i].Ticks = t
	}
	return rows, nil
}

// A Span is what a read needs to know of a block.
type Span struct {
	Nums  []int    // of the chunks or pages
	All   []int    // entries of each row
	Hits  []int    // those whose facet matches
	Seps  [][]byte // nil: left out
	Ticks [][]Tick // nil: left out
}

// Matching counts the entries whose facet matches.
func (s Span) Matching() int {
	n := 0
	for _, h := range s.Hits {
		n += h
	}
	return n
}

// DecodeSpan reads a block and counts the entries whose facet matches. It reads
// separators and ticks only for a range of keys.
func DecodeSpan(raw []byte, match func(Facet) bool, ranged bool) (Span, error) {
	b, nums, facets, err := decodeBlock(raw)
	if err != nil {
		return Span{}, err
	}
	s := Span{Nums: nums, All: make([]int, len(nums)), Hits: make([]int, len(nums))}
	matches := make([]bool, len(facets))
	for i, f := range facets {
		matches[i] = match(f)
	}
	if !b.eachCount(len(nums), len(facets), func(f, i, n int) {
		s.All[i] += n
		if matches[f] {
			s.Hits[i] += n
		}
	}) {
		return Span{}, errBlock
	}
	if !ranged {
		return s, nil
	}
	if s.Seps, err = b.separators(len(nums)); err != nil {
		return Span{}, err
	}
	if s.Ticks, err = b.ticked(len(nums)); err != nil {
		return Span{}, err
	}
	return s, nil
}

// all returns the texts; false for what Encode cannot have written.
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
