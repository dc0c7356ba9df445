// Package spool sorts what a load writes into the order in which it is written.
//
// A load finds its writes record by record, and writes them list by list. What
// it has found is kept in memory as far as it fits, and else in sorted runs in a
// file of the folder for temporary files (TMPDIR), which are merged as they are
// read. The file has no name where the system allows that, so that nothing of a
// load that is killed stays.
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

// Place is where a record belongs in the order: by phase, schema, name and key.
type Place struct {
	Phase, Schema byte
	// Name and Key are at most 65,535 bytes long.
	Name string
	Key  []byte
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
	in     chan []byte
	out    <-chan []byte
	failed <-chan error
	count  int
	closed bool
	next   []byte // read, not returned
}

// New returns an empty spool with runs of n records, 0 for the usual number. It
// must be closed.
func New(ctx context.Context, n int) *Spool {
	s := &Spool{in: make(chan []byte, 1024)}
	s.ctx, s.cancel = context.WithCancel(ctx)
	same := func(b []byte) ([]byte, error) { return b, nil }
	sorter, out, failed := extsort.Generic(s.in, same, same, compare, &extsort.Config{
		ChunkSize: cmp.Or(n, run), NumWorkers: 2, ChanBuffSize: 0, SortedChanBuffSize: 1024, TempFilesDir: os.TempDir(),
	})
	s.out, s.failed = out, failed
	go sorter.Sort(s.ctx)
	return s
}

// Len is how many records were put.
func (s *Spool) Len() int { return s.count }

// Put adds a record. An error is that of the file.
func (s *Spool) Put(r Record) error {
	if len(r.Name) > math.MaxUint16 || len(r.Key) > math.MaxUint16 {
		return fmt.Errorf("a place of %d and %d bytes is too long", len(r.Name), len(r.Key))
	}
	b := make([]byte, 0, placeSize(&r)+8+len(r.Value))
	b = appendPlace(b, &r)
	b = binary.BigEndian.AppendUint64(b, uint64(s.count)) //nolint:gosec // a count
	b = append(b, r.Value...)
	select {
	case s.in <- b:
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
		b, err := s.read()
		if err != nil {
			return nil, err
		}
		if last != nil && (b == nil || comparePlaces(last, b) != 0) {
			s.next = b
			r := parse(last)
			return &r, nil
		}
		if b == nil {
			return nil, nil
		}
		last = b
	}
}

func (s *Spool) read() ([]byte, error) {
	b, more := <-s.out
	if more {
		return b, nil
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

// placeSize is the length of what appendPlace appends.
func placeSize(r *Record) int { return 2 + 2 + len(r.Name) + 2 + len(r.Key) }

// appendPlace appends the place of a record that was bounded by Put.
func appendPlace(b []byte, r *Record) []byte {
	b = append(b, r.Phase, r.Schema)
	b = binary.BigEndian.AppendUint16(b, uint16(len(r.Name))) //nolint:gosec // bounded by Put
	b = append(b, r.Name...)
	b = binary.BigEndian.AppendUint16(b, uint16(len(r.Key))) //nolint:gosec // bounded by Put
	return append(b, r.Key...)
}

// place are a record's phase, schema, name, key, and what follows.
func place(b []byte) (head, name, key, rest []byte) {
	head, b = b[:2], b[2:]
	n := binary.BigEndian.Uint16(b)
	name, b = b[2:2+n], b[2+n:]
	n = binary.BigEndian.Uint16(b)
	return head, name, b[2 : 2+n], b[2+n:]
}

// fields are a record's phase, schema, name, key, number and value.
func fields(b []byte) (head, name, key, number, value []byte) {
	head, name, key, b = place(b)
	return head, name, key, b[:8], b[8:]
}

func compare(a, b []byte) int {
	if c := comparePlaces(a, b); c != 0 {
		return c
	}
	_, _, _, numberA, _ := fields(a)
	_, _, _, numberB, _ := fields(b)
	return bytes.Compare(numberA, numberB)
}

func comparePlaces(a, b []byte) int {
	headA, nameA, keyA, _, _ := fields(a)
	headB, nameB, keyB, _, _ := fields(b)
	if c := bytes.Compare(headA, headB); c != 0 {
		return c
	}
	if c := bytes.Compare(nameA, nameB); c != 0 {
		return c
	}
	return bytes.Compare(keyA, keyB)
}

func parse(b []byte) Record {
	head, name, key, _, value := fields(b)
	return Record{Place: Place{Phase: head[0], Schema: head[1], Name: string(name), Key: key}, Value: value}
}
