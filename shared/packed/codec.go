package packed

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"reflect"
	"sync"
)

// A codec writes and reads the values of a type.
type codec struct {
	encode func(*encoder, reflect.Value)
	decode func(*decoder, reflect.Value) // of a value that is zero
}

// codecs are those made so far, by reflect.Type.
var codecs sync.Map

func codecOf(t reflect.Type) *codec {
	if c, ok := codecs.Load(t); ok {
		return c.(*codec)
	}
	c, _ := codecs.LoadOrStore(t, newCodec(t))
	return c.(*codec)
}

func newCodec(t reflect.Type) *codec {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &codec{encodeInt, decodeInt}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &codec{encodeUint, decodeUint}
	case reflect.String:
		return &codec{encodeString, decodeString}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return &codec{encodeBytes, decodeBytes}
		}
		return sliceCodec(t)
	case reflect.Array:
		return arrayCodec(t)
	case reflect.Struct:
		return structCodec(t)
	}
	panic(fmt.Sprintf("packed: values of type %s are not supported", t))
}

func encodeInt(e *encoder, v reflect.Value) { e.out = binary.AppendVarint(e.out, v.Int()) }

func decodeInt(d *decoder, v reflect.Value) {
	n := d.varint()
	if v.OverflowInt(n) {
		d.fail()
		return
	}
	v.SetInt(n)
}

func encodeUint(e *encoder, v reflect.Value) { e.uvarint(v.Uint()) }

func decodeUint(d *decoder, v reflect.Value) {
	n := d.uvarint()
	if v.OverflowUint(n) {
		d.fail()
		return
	}
	v.SetUint(n)
}

func encodeString(e *encoder, v reflect.Value) { e.string(v.String()) }

func decodeString(d *decoder, v reflect.Value) { v.SetString(d.string()) }

func encodeBytes(e *encoder, v reflect.Value) {
	e.uvarint(uint64(v.Len())) //nolint:gosec // a length
	e.out = append(e.out, v.Bytes()...)
}

func decodeBytes(d *decoder, v reflect.Value) { v.SetBytes(d.take(d.length())) }

func sliceCodec(t reflect.Type) *codec {
	elem := codecOf(t.Elem())
	return &codec{
		encode: func(e *encoder, v reflect.Value) {
			n := v.Len()
			e.uvarint(uint64(n)) //nolint:gosec // a length
			for i := range n {
				elem.encode(e, v.Index(i))
			}
		},
		decode: func(d *decoder, v reflect.Value) {
			n := d.length()
			v.Set(reflect.MakeSlice(t, n, n))
			for i := 0; i < n && !d.fault; i++ {
				elem.decode(d, v.Index(i))
			}
		},
	}
}

func arrayCodec(t reflect.Type) *codec {
	elem, n := codecOf(t.Elem()), t.Len()
	return &codec{
		encode: func(e *encoder, v reflect.Value) {
			for i := range n {
				elem.encode(e, v.Index(i))
			}
		},
		decode: func(d *decoder, v reflect.Value) {
			for i := 0; i < n && !d.fault; i++ {
				elem.decode(d, v.Index(i))
			}
		},
	}
}

// A field is one of a struct.
type field struct {
	index int
	// codec writes the field, or what it points to. It is nil for a bool, of which the
	// field's bit says everything.
	codec   *codec
	pointer bool
}

// maxFields is how many fields a struct may have: their bits are one uint64.
const maxFields = 64

func structCodec(t reflect.Type) *codec {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() || f.Tag.Get("packed") == "-" {
			continue
		}
		of := field{index: i}
		switch f.Type.Kind() {
		case reflect.Bool:
		case reflect.Pointer:
			of.codec, of.pointer = codecOf(f.Type.Elem()), true
		default:
			of.codec = codecOf(f.Type)
		}
		fields = append(fields, of)
	}
	if len(fields) > maxFields {
		panic(fmt.Sprintf("packed: %s has more than %d fields", t, maxFields))
	}
	return &codec{
		encode: func(e *encoder, v reflect.Value) { encodeFields(e, v, fields) },
		decode: func(d *decoder, v reflect.Value) { decodeFields(d, v, fields) },
	}
}

func encodeFields(e *encoder, v reflect.Value, fields []field) {
	var set uint64
	for i, f := range fields {
		if !v.Field(f.index).IsZero() {
			set |= 1 << i
		}
	}
	e.uvarint(set)
	for i, f := range fields {
		if set&(1<<i) == 0 || f.codec == nil {
			continue
		}
		of := v.Field(f.index)
		if f.pointer {
			of = of.Elem()
		}
		f.codec.encode(e, of)
	}
}

func decodeFields(d *decoder, v reflect.Value, fields []field) {
	set := d.uvarint()
	if len(fields) < maxFields && set>>len(fields) != 0 {
		d.fail()
	}
	for i, f := range fields {
		if d.fault {
			return
		}
		if set&(1<<i) == 0 {
			continue
		}
		of := v.Field(f.index)
		switch {
		case f.codec == nil:
			of.SetBool(true)
		case f.pointer:
			of.Set(reflect.New(of.Type().Elem()))
			f.codec.decode(d, of.Elem())
		default:
			f.codec.decode(d, of)
		}
	}
}

// encoder appends to out.
type encoder struct{ out []byte }

func (e *encoder) uvarint(n uint64) { e.out = binary.AppendUvarint(e.out, n) }

// The digits and the bytes of an id.
const (
	idDigits = 24
	idBytes  = idDigits / 2
)

func (e *encoder) string(s string) {
	switch {
	case isID(s):
		e.out = append(e.out, 0)
		e.out, _ = hex.AppendDecode(e.out, []byte(s)) // digits, an even number of them
	default:
		e.uvarint(uint64(len(s)) + 1)
		e.out = append(e.out, s...)
	}
}

func isID(s string) bool {
	if len(s) != idDigits {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// decoder takes bytes apart. After the first fault every value is zero and
// fault is set, so that callers check it once per loop.
type decoder struct {
	rest  []byte
	fault bool
}

func (d *decoder) fail() { d.rest, d.fault = nil, true }

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.rest)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// bounded is a uvarint of at most limit.
func (d *decoder) bounded(limit uint64) uint64 {
	v := d.uvarint()
	if v > limit {
		d.fail()
		return 0
	}
	return v
}

// length is a number of things that take a byte each at least.
func (d *decoder) length() int {
	return int(d.bounded(uint64(len(d.rest)))) //nolint:gosec // at most a length
}

func (d *decoder) take(n int) []byte {
	if n > len(d.rest) {
		d.fail()
		return nil
	}
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) string() string {
	n := d.bounded(uint64(len(d.rest)))
	if n == 0 {
		var digits [idDigits]byte
		hex.Encode(digits[:], d.take(idBytes))
		return string(digits[:])
	}
	return string(d.take(int(n - 1))) //nolint:gosec // at most a length
}
