package conduct

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"touchline/shared/loader/spool"
)

// bucketOf is the bucket of what belongs to a list, or a partition.
func bucketOf(name string, buckets int) int {
	h := fnv.New64a()
	_, _ = io.WriteString(h, name)
	return int(h.Sum64() % uint64(buckets)) //nolint:gosec // at most maxBuckets
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

// merged are the records of several runs, in the order of their places. Of several
// records of one place that of the last part counts, as in a spool.
type merged struct {
	runs []*reader // in the order of what each gives next, and then of the parts
	left int       // records
}

// merge merges runs of so many records.
func merge(runs []*reader, records int) (*merged, error) {
	m := &merged{left: records}
	for _, r := range runs {
		if err := m.advance(r); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// advance reads the next record of a run, and puts the run in its place. One that is at
// its end has none.
func (m *merged) advance(r *reader) (err error) {
	if r.next, err = r.Next(); err != nil || r.next == nil {
		return err
	}
	at, _ := slices.BinarySearchFunc(m.runs, r, func(a, b *reader) int {
		return cmp.Or(a.next.Compare(b.next.Place), cmp.Compare(a.part, b.part))
	})
	m.runs = slices.Insert(m.runs, at, r)
	return nil
}

// Len implements commit.Source.
func (m *merged) Len() int { return m.left }

// Next implements commit.Source.
func (m *merged) Next() (*spool.Record, error) {
	for len(m.runs) > 0 {
		first := m.runs[0]
		r := first.next
		m.left--
		m.runs = slices.Delete(m.runs, 0, 1)
		if err := m.advance(first); err != nil {
			return nil, err
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
