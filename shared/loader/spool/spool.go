// Package spool sorts what a load writes into the order in which it is written.
//
// A load finds its writes record by record, and writes them list by list. What
// it has found is kept in memory as far as it fits. The rest is in sorted runs in a
// file of the folder for temporary files (TMPDIR), and they are merged as they are
// read. Where the system allows it the file has no name: nothing of a killed load stays.
//
// # Invariants
//
//   - Of several records of one place only the last one counts.
//   - What is put is in the file as it is: it holds what the table will hold, and
//     is readable for the user alone.
//
// # Why
//
// An external sort instead of an embedded database: a load reads nothing of it
// until all of it is there, and then all of it once, in order. A database with a
// log and levels writes each record several times for lookups that nobody makes.
package spool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/lanrat/extsort"
)

// Place is where a record belongs in the order: by phase, schema, name and key. A
// checkpoint stores it.
type Place struct {
	Phase  byte `dynamodbav:"p"`
	Schema byte `dynamodbav:"s" json:"Set"`
	// Name and Key are at most 65,535 bytes long.
	Name string `dynamodbav:"n,omitempty"`
	Key  []byte `dynamodbav:"k,omitempty"`
}

// Compare orders places.
func (p Place) Compare(o Place) int {
	return cmp.Or(cmp.Compare(p.Phase, o.Phase), cmp.Compare(p.Schema, o.Schema), cmp.Compare(p.Name, o.Name), bytes.Compare(p.Key, o.Key))
}

// Record is what is written at a place.
type Record struct {
	Place
	Value []byte
}

// run is how many records are sorted in memory: what is more goes to the file. At
// 200 bytes each, some five runs in the making take 250 MB.
const run = 200_000

// Spool takes records and gives them back in order. One goroutine uses it.
type Spool struct {
	ctx    context.Context
	cancel context.CancelFunc
	in     chan *numbered
	out    <-chan *numbered
	failed <-chan error
	count  int
	closed bool
	next   *numbered // read, not returned
}

// New returns an empty spool with runs of n records, 0 for the usual number. It
// must be closed.
func New(ctx context.Context, n int) *Spool {
	s := &Spool{in: make(chan *numbered, 1024)}
	s.ctx, s.cancel = context.WithCancel(ctx)
	sorter, out, failed := extsort.Generic(s.in, read, written, compare, &extsort.Config{
		ChunkSize: cmp.Or(n, run), NumWorkers: 2, ChanBuffSize: 0, SortedChanBuffSize: 1024, TempFilesDir: os.TempDir(),
	})
	s.out, s.failed = out, failed
	go sorter.Sort(s.ctx)
	return s
}

// Len is how many records were put.
func (s *Spool) Len() int { return s.count }

// Put adds a record, which nobody may change after that. An error is that of the file.
func (s *Spool) Put(r Record) error {
	if len(r.Name) > math.MaxUint16 || len(r.Key) > math.MaxUint16 {
		return fmt.Errorf("a place of %d and %d bytes is too long", len(r.Name), len(r.Key))
	}
	select {
	case s.in <- &numbered{r, uint64(s.count)}: //nolint:gosec // a count
		s.count++
		return nil
	case err := <-s.failed:
		return fault(err)
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

func fault(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sort what is to be written in %s, which TMPDIR changes: %w", os.TempDir(), err)
}

// Next returns the records in order, each place once; nil at the end. After the
// first Next nothing can be put.
func (s *Spool) Next() (*Record, error) {
	if !s.closed {
		s.closed = true
		close(s.in)
	}
	last := s.next
	s.next = nil
	for {
		r, err := s.read()
		switch {
		case err != nil:
			return nil, err
		case last != nil && (r == nil || r.Compare(last.Place) != 0):
			s.next = r
			return &last.Record, nil
		case r == nil:
			return nil, nil
		}
		last = r
	}
}

func (s *Spool) read() (*numbered, error) {
	r, more := <-s.out
	if more {
		return r, nil
	}
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	return nil, fault(<-s.failed)
}

// Close ends the spool and removes its file.
func (s *Spool) Close() {
	s.cancel()
	if !s.closed {
		s.closed = true
		close(s.in)
	}
	for range s.out { //nolint:revive // until the sorter has ended
	}
}

// numbered is a record, and how many were put before it.
type numbered struct {
	Record
	number uint64
}

func compare(a, b *numbered) int {
	return cmp.Or(a.Compare(b.Place), cmp.Compare(a.number, b.number))
}

func written(r *numbered) ([]byte, error) {
	return r.append(binary.BigEndian.AppendUint64(make([]byte, 0, 8+r.size()), r.number)), nil
}

func read(b []byte) (*numbered, error) {
	return &numbered{parse(b[8:]), binary.BigEndian.Uint64(b)}, nil
}

// size is the length of what append appends.
func (r *Record) size() int { return 2 + 2 + len(r.Name) + 2 + len(r.Key) + len(r.Value) }

// append appends a record that was bounded by Put.
func (r *Record) append(b []byte) []byte {
	b = append(b, r.Phase, r.Schema)
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(r.Name))), r.Name...) //nolint:gosec // bounded by Put
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(r.Key))), r.Key...)   //nolint:gosec // bounded by Put
	return append(b, r.Value...)
}

// parse reads what append has appended.
func parse(b []byte) Record {
	r := Record{Place: Place{Phase: b[0], Schema: b[1]}}
	name := 4 + int(binary.BigEndian.Uint16(b[2:]))
	key := name + 2 + int(binary.BigEndian.Uint16(b[name:]))
	r.Name, r.Key, r.Value = string(b[4:name]), b[name+2:key], b[key:]
	return r
}
