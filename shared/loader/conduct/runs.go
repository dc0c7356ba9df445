package conduct

import (
	"compress/flate"
	"container/heap"
	"fmt"
	"hash/fnv"
	"io"

	"touchline/shared/loader/spool"
)

// bucketOf is the bucket of what belongs to a list, or a partition.
func bucketOf(name string, buckets int) int {
	h := fnv.New64a()
	_, _ = io.WriteString(h, name)
	return int(h.Sum64() % uint64(buckets)) //nolint:gosec // at most maxBuckets
}

// sorted are the runs of a part, one for each bucket, while they are written.
type sorted struct {
	runs   []spool.Run
	packer *spool.Packer
}

func newSorted(buckets int) *sorted {
	return &sorted{runs: make([]spool.Run, buckets), packer: spool.NewPacker(flate.BestSpeed)}
}

// add adds the next record, in the order of places.
func (s *sorted) add(r *spool.Record) error {
	return s.runs[bucketOf(r.Name, len(s.runs))].Add(s.packer, r)
}

// end completes the runs.
func (s *sorted) end() error {
	for i := range s.runs {
		if err := s.runs[i].End(s.packer); err != nil {
			return err
		}
	}
	return nil
}

// reader reads the run of a part.
type reader struct {
	*spool.Reader
	part int
	next *spool.Record
}

// whole returns a run in one piece.
func whole(run []byte) func() ([]byte, error) {
	return func() ([]byte, error) {
		piece := run
		run = nil
		return piece, nil
	}
}

// advance reads the next record, nil at the end.
func (r *reader) advance() (err error) {
	r.next, err = r.Next()
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
		r := &reader{Reader: spool.NewReader(whole(content)), part: part}
		if err := r.advance(); err != nil {
			return nil, err
		}
		if r.next != nil {
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
		if err := first.advance(); err != nil {
			return nil, err
		}
		if first.next == nil {
			heap.Pop(&m.runs)
		} else {
			heap.Fix(&m.runs, 0)
		}
		if len(m.runs) == 0 || m.runs[0].next.Compare(r.Place) != 0 {
			return r, nil
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
