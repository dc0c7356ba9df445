// Package spool sorts what a load writes into the order in which it is written.
//
// A load finds its writes record by record, and writes them list by list. What
// it has found is kept in memory as far as it fits. The rest is in sorted runs in a
// file of a folder, and they are merged as they are
// read. Where the system allows it the file has no name: nothing of a killed load stays.
//
// # Invariants
//
//   - Each place has one record: a second one is an error.
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
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/lanrat/extsort"

	"touchline/shared/packed"
)

// Place is where a record belongs in the order: by phase, schema, name and key.
type Place struct {
	Phase  byte
	Schema byte
	Name   string
	Key    []byte
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
// 200 bytes each, some four runs in the making take 50 MB.
const run = 50_000

// Spool takes records and gives them back in order. One goroutine uses it.
type Spool struct {
	folder string
	ctx    context.Context
	cancel context.CancelFunc
	in     chan *Record
	out    <-chan *Record
	failed <-chan error
	count  int
	closed bool
	last   *Record // that Next has returned
}

// New returns an empty spool with runs of n records, 0 for the usual number, and its file
// in a folder; empty: that for temporary files. It must be closed.
func New(ctx context.Context, folder string, n int) *Spool {
	s := &Spool{folder: cmp.Or(folder, os.TempDir()), in: make(chan *Record, 1024)}
	s.ctx, s.cancel = context.WithCancel(ctx)
	sorter, out, failed := extsort.Generic(s.in, read, written, func(a, b *Record) int { return a.Compare(b.Place) }, &extsort.Config{
		ChunkSize: cmp.Or(n, run), NumWorkers: 1, ChanBuffSize: 0, SortedChanBuffSize: 1024, TempFilesDir: s.folder,
	})
	s.out, s.failed = out, failed
	go sorter.Sort(s.ctx)
	return s
}

// Len is how many records were put.
func (s *Spool) Len() int { return s.count }

// Put adds a record, which nobody may change after that. An error is that of the file, or of
// the context.
func (s *Spool) Put(r Record) error {
	select {
	case s.in <- &r:
		s.count++
		return nil
	case err := <-s.failed:
		return s.fault(err)
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// FolderError is a fault of the folder in which a spool sorts.
type FolderError struct {
	Folder string
	error
}

// Error names the folder.
func (e *FolderError) Error() string {
	return fmt.Sprintf("sort what is to be written in %s, which TMPDIR changes: %v", e.Folder, e.error)
}

// Unwrap is the reason.
func (e *FolderError) Unwrap() error { return e.error }

func (s *Spool) fault(err error) error {
	if err == nil {
		return nil
	}
	return &FolderError{s.folder, err}
}

// Next returns the records in order, nil at the end. After the first Next nothing can be
// put.
func (s *Spool) Next() (*Record, error) {
	if !s.closed {
		s.closed = true
		close(s.in)
	}
	r, more := <-s.out
	if !more {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		return nil, s.fault(<-s.failed)
	}
	if s.last != nil && r.Compare(s.last.Place) == 0 {
		return nil, fmt.Errorf("%s %q is written twice", r.Name, r.Key)
	}
	s.last = r
	return r, nil
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

func written(r *Record) ([]byte, error) { return packed.Marshal(r), nil }

func read(b []byte) (*Record, error) {
	r := new(Record)
	return r, packed.Unmarshal(b, r)
}

// AppendTo appends the record, for ReadRecord.
func (r *Record) AppendTo(b []byte) []byte {
	text := packed.Marshal(r)
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// ReadRecord reads the next record that AppendTo has appended.
func ReadRecord(from *bufio.Reader) (*Record, error) {
	n, err := binary.ReadUvarint(from)
	if err != nil {
		return nil, err
	}
	if n > longest {
		return nil, fmt.Errorf("a record of %d bytes is longer than any", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(from, text); err != nil {
		return nil, err
	}
	return read(text)
}

// longest bounds a record that is read, in bytes: an item has 400 KB.
const longest = 1 << 20
