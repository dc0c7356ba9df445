package spool

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// block is how many bytes of records are compressed at once.
const block = 64 << 10

// Packer compresses the records of runs, of one after the other.
type Packer struct {
	packed bytes.Buffer
	out    *flate.Writer
}

// NewPacker returns a Packer with a level of package flate.
func NewPacker(level int) *Packer {
	p := &Packer{}
	p.out, _ = flate.NewWriter(&p.packed, level) // the level is one
	return p
}

// Run is what was sorted, compressed: blocks of records, each behind its length.
type Run struct {
	Packed  bytes.Buffer // complete after End
	Records int
	text    []byte // records that are not compressed yet
}

// Add adds the next record in the order of places.
func (r *Run) Add(p *Packer, x *Record) {
	r.text = x.append(binary.AppendUvarint(r.text, uint64(x.size()))) //nolint:gosec // a length
	r.Records++
	if len(r.text) >= block {
		r.End(p)
	}
}

// End compresses the records that are not compressed yet.
func (r *Run) End(p *Packer) {
	if len(r.text) == 0 {
		return
	}
	p.packed.Reset()
	p.out.Reset(&p.packed)
	_, _ = p.out.Write(r.text) // into memory
	_ = p.out.Close()
	r.text = r.text[:0]
	r.Packed.Write(binary.AppendUvarint(nil, uint64(p.packed.Len()))) //nolint:gosec // a length
	r.Packed.Write(p.packed.Bytes())
}

// ErrCut is the error of a run that is not as it was written.
var ErrCut = errors.New("what was sorted is cut off")

// Reader reads a run.
type Reader struct {
	more   func() ([]byte, error)
	packed []byte // blocks not read yet
	text   []byte // of the block
	in     io.ReadCloser
}

// NewReader returns a Reader of a run that more returns in pieces, nil at the end.
func NewReader(more func() ([]byte, error)) *Reader { return &Reader{more: more} }

// Next returns the next record, nil at the end. It stays valid.
func (r *Reader) Next() (*Record, error) {
	if len(r.text) == 0 {
		if more, err := r.inflate(); err != nil || !more {
			return nil, err
		}
	}
	size, n := binary.Uvarint(r.text)
	if n <= 0 || size > uint64(len(r.text)-n) || size < uint64((&Record{}).size()) { //nolint:gosec // a length
		return nil, ErrCut
	}
	end := n + int(size) //nolint:gosec // bounded above
	x := parse(r.text[n:end])
	r.text = r.text[end:]
	return &x, nil
}

// inflate reads the next block, if there is one.
func (r *Reader) inflate() (bool, error) {
	size, n := binary.Uvarint(r.packed)
	for n <= 0 || size > uint64(len(r.packed)-n) { //nolint:gosec // a length
		piece, err := r.more()
		switch {
		case err != nil:
			return false, err
		case piece == nil && len(r.packed) == 0:
			return false, nil
		case piece == nil:
			return false, ErrCut
		}
		if len(r.packed) > 0 {
			piece = append(bytes.Clone(r.packed), piece...)
		}
		r.packed = piece
		size, n = binary.Uvarint(r.packed)
	}
	end := n + int(size) //nolint:gosec // bounded above
	packed := bytes.NewReader(r.packed[n:end])
	r.packed = r.packed[end:]
	if r.in == nil {
		r.in = flate.NewReader(packed)
	} else if err := r.in.(flate.Resetter).Reset(packed, nil); err != nil { //nolint:forcetypeassert // flate says so
		return false, err
	}
	var err error
	if r.text, err = io.ReadAll(r.in); err != nil {
		return false, fmt.Errorf("read what was sorted: %w", err)
	}
	return true, nil
}
