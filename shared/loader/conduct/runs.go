package conduct

import (
	"bytes"
	"compress/flate"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"

	"touchline/shared/loader/spool"
)

// block is how many bytes of records are compressed at once.
const block = 64 << 10

// bucketOf is the bucket of what belongs to a list, or a partition.
func bucketOf(name string, buckets int) int {
	h := fnv.New64a()
	_, _ = io.WriteString(h, name)
	return int(h.Sum64() % uint64(buckets)) //nolint:gosec // at most maxBuckets
}

// sorted are the runs of a part, one for each bucket, while they are written.
type sorted struct {
	runs   []run
	packed bytes.Buffer
	out    *flate.Writer
}

// run is a sorted run: blocks, each behind its compressed length.
type run struct {
	text    []byte // records, not yet compressed
	done    bytes.Buffer
	records int
}

func newSorted(buckets int) *sorted {
	s := &sorted{runs: make([]run, buckets)}
	s.out, _ = flate.NewWriter(&s.packed, flate.BestSpeed) // the level is one
	return s
}

// add adds the next record, in the order of places.
func (s *sorted) add(r *spool.Record) error {
	to := &s.runs[bucketOf(r.Name, len(s.runs))]
	to.text = spool.Append(to.text, r)
	to.records++
	if len(to.text) < block {
		return nil
	}
	return s.pack(to)
}

// pack compresses a block.
func (s *sorted) pack(to *run) error {
	s.packed.Reset()
	s.out.Reset(&s.packed)
	if _, err := s.out.Write(to.text); err != nil {
		return err
	}
	if err := s.out.Close(); err != nil {
		return err
	}
	to.text = to.text[:0]
	to.done.Write(binary.AppendUvarint(nil, uint64(s.packed.Len()))) //nolint:gosec // a length
	to.done.Write(s.packed.Bytes())
	return nil
}

// end completes the runs.
func (s *sorted) end() error {
	for i := range s.runs {
		if len(s.runs[i].text) > 0 {
			if err := s.pack(&s.runs[i]); err != nil {
				return err
			}
		}
		s.runs[i].text = nil
	}
	return nil
}

// reader reads a run.
type reader struct {
	part int // of the run
	rest []byte
	text []byte // of the block
	in   io.ReadCloser
	next spool.Record
}

// advance reads the next record; io.EOF at the end. What it read before stays valid.
func (r *reader) advance() error {
	if len(r.text) == 0 {
		size, n := binary.Uvarint(r.rest)
		if n == 0 {
			return io.EOF
		}
		if n < 0 || size > uint64(len(r.rest)-n) { //nolint:gosec // a length
			return spool.ErrCut
		}
		end := n + int(size) //nolint:gosec // bounded above
		packed := bytes.NewReader(r.rest[n:end])
		r.rest = r.rest[end:]
		if r.in == nil {
			r.in = flate.NewReader(packed)
		} else if err := r.in.(flate.Resetter).Reset(packed, nil); err != nil { //nolint:forcetypeassert // flate says so
			return err
		}
		var err error
		if r.text, err = io.ReadAll(r.in); err != nil {
			return fmt.Errorf("read what was sorted: %w", err)
		}
	}
	var err error
	r.next, r.text, err = spool.Cut(r.text)
	return err
}

// merged are the records of several runs, in the order of their places. Of several
// records of one place that of the last part counts, as in a spool.
type merged struct {
	runs readers
	left int // records
}

// merge merges runs, by their parts.
func merge(runs map[int][]byte, records int) (*merged, error) {
	m := &merged{left: records}
	for part, content := range runs {
		r := &reader{part: part, rest: content}
		switch err := r.advance(); {
		case errors.Is(err, io.EOF):
		case err != nil:
			return nil, err
		default:
			m.runs = append(m.runs, r)
		}
	}
	heap.Init(&m.runs)
	return m, nil
}

// Len implements commit.Source.
func (m *merged) Len() int { return m.left }

// Next implements commit.Source.
func (m *merged) Next() (*spool.Record, error) {
	for len(m.runs) > 0 {
		first := m.runs[0]
		r := first.next
		m.left--
		switch err := first.advance(); {
		case errors.Is(err, io.EOF):
			heap.Pop(&m.runs)
		case err != nil:
			return nil, err
		default:
			heap.Fix(&m.runs, 0)
		}
		if len(m.runs) == 0 || m.runs[0].next.Compare(r.Place) != 0 {
			return &r, nil
		}
	}
	if m.left != 0 {
		return nil, fmt.Errorf("%w: %d records are missing", spool.ErrCut, m.left)
	}
	return nil, nil
}

// readers are a heap of runs by what each gives next.
type readers []*reader

// Len implements heap.Interface.
func (h readers) Len() int { return len(h) }

// Less implements heap.Interface.
func (h readers) Less(i, j int) bool {
	c := h[i].next.Compare(h[j].next.Place)
	return c < 0 || c == 0 && h[i].part < h[j].part
}

// Swap implements heap.Interface.
func (h readers) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *readers) Push(x any) { *h = append(*h, x.(*reader)) } //nolint:forcetypeassert // of readers only

// Pop implements heap.Interface.
func (h *readers) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
