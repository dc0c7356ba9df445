package pagedlist

import (
	"encoding/binary"
	"errors"
)

// errBlock is the error of a block that no encoder wrote.
var errBlock = errors.New("malformed index block")

// reader takes a block apart. After the first fault every value is zero and
// fault is set, so that callers check it once per loop.
type reader struct {
	rest  []byte
	fault bool
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.fault = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// number is an unsigned varint; one above max is a fault.
func (r *reader) number(max uint64) uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > max {
		r.fault = true
		r.rest = nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// count is a number of things of which each takes at least a byte, here or
// further on.
func (r *reader) count() int { return int(r.number(uint64(len(r.rest)))) } //nolint:gosec // bounded by a length

func (r *reader) signed() int64 {
	v, n := binary.Varint(r.rest)
	if n <= 0 {
		r.fault = true
		r.rest = nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) take(n int) []byte {
	if n > len(r.rest) {
		r.fault = true
		r.rest = nil
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) string() string { return string(r.take(r.count())) }

func appendNumber(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) } //nolint:gosec // counts and lengths

func appendString(b []byte, s string) []byte {
	return append(appendNumber(b, len(s)), s...)
}

func appendSigned(b []byte, n int64) []byte { return binary.AppendVarint(b, n) }

// count0 is a number of at most max.
func (r *reader) count0(max int) int { return int(r.number(uint64(max))) } //nolint:gosec // bounded by an int
