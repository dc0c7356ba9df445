package packed

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
)

// version is that of the encoding, in the upper bits of the first byte of what
// Marshal and Deflate write; bit 0 says that the rest is deflated.
const (
	version  = 1
	header   = version << 1
	deflated = 1
)

// maxInflated bounds what Unmarshal inflates: some hundred times the largest
// item of a table.
const maxInflated = 64 << 20

// ErrMalformed is the error of bytes that were not written for the type, or by
// another version.
var ErrMalformed = errors.New("malformed packed value")

// Marshal writes what v points to. It panics where v is no pointer, or the type
// is not supported.
func Marshal(v any) []byte { return Append([]byte{header}, v) }

// Deflate is Marshal, deflated.
func Deflate(v any) []byte {
	d, _ := deflaters.Get().(*deflater)
	if d == nil {
		d = new(deflater)
		d.Writer, _ = flate.NewWriter(&d.out, flate.DefaultCompression) // the level is one
	}
	defer deflaters.Put(d)
	d.out.Reset()
	d.out.WriteByte(header | deflated)
	d.Reset(&d.out)
	d.in = Append(d.in[:0], v)
	if _, err := d.Write(d.in); err != nil {
		panic(err) // to memory
	}
	if err := d.Close(); err != nil {
		panic(err) // likewise
	}
	return bytes.Clone(d.out.Bytes())
}

// deflaters are kept because each takes most of a megabyte.
var deflaters sync.Pool

type deflater struct {
	*flate.Writer
	in  []byte
	out bytes.Buffer
}

// Unmarshal reads what Marshal or Deflate wrote into what v points to, which it
// sets wholly. Byte slices may share the memory of b.
func Unmarshal(b []byte, v any) error {
	if len(b) == 0 || b[0]&^deflated != header {
		return fmt.Errorf("%w: version", ErrMalformed)
	}
	if b[0]&deflated == 0 {
		return Value(b[1:], v)
	}
	inflated, err := inflate(b)
	if err != nil {
		return err
	}
	return Value(inflated, v)
}

// Inflated is what a value that Deflate wrote says, for comparing: versions of the compressor
// may write the same value differently. Other bytes stay as they are.
func Inflated(b []byte) []byte {
	if len(b) == 0 || b[0] != header|deflated {
		return b
	}
	inflated, err := inflate(b)
	if err != nil {
		return b
	}
	return inflated
}

// inflaters are kept because each has a window of 32 KB, and takes five times as long to
// make as to read a match's details.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// inflate gives what follows the first byte of a deflated value, in memory of its
// own.
func inflate(b []byte) (inflated []byte, err error) {
	r, _ := inflaters.Get().(io.Reader)
	defer inflaters.Put(r)
	if err = r.(flate.Resetter).Reset(bytes.NewReader(b[1:]), nil); err == nil {
		inflated, err = io.ReadAll(io.LimitReader(r, maxInflated+1))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if len(inflated) > maxInflated {
		return nil, fmt.Errorf("%w: more than %d bytes inflated", ErrMalformed, maxInflated)
	}
	return inflated, nil
}

// Append writes what v points to after b, without a version. It panics as
// Marshal does.
func Append(b []byte, v any) []byte {
	p := target(v)
	e := encoder{out: b}
	codecOf(p.Type()).encode(&e, p)
	return e.out
}

// Value reads what Append wrote, all of b, as Unmarshal does.
func Value(b []byte, v any) error {
	p := target(v)
	r := decoder{rest: b}
	p.SetZero()
	codecOf(p.Type()).decode(&r, p)
	if r.fault || len(r.rest) > 0 {
		return fmt.Errorf("%w: %s", ErrMalformed, p.Type())
	}
	return nil
}

func target(v any) reflect.Value {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		panic(fmt.Sprintf("packed: %T is no pointer to a value", v))
	}
	return p.Elem()
}
