// Package flat writes an item of a table as bytes, and makes the item of them again:
// for the file of a machine (package file), for what is too large for one item (records,
// pieces.go), and for what a load is to write.
//
// A value is a byte for its kind and, but for booleans and null, a length or a number of
// elements, and those. A map, such as the item, has its attributes in the order of their
// names, so that the same item always has the same bytes.
package flat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// MaxDepth is how deep lists and maps may lie within one another, as in DynamoDB.
const MaxDepth = 32

// ErrMalformed is the error of bytes that Append has not written.
var ErrMalformed = errors.New("malformed item")

// The kinds of values.
const (
	kindString = 'S'
	kindNumber = 'N'
	kindBinary = 'B'
	kindList   = 'L'
	kindMap    = 'M'
	kindTrue   = 'T'
	kindFalse  = 'F'
	kindNull   = '0'
)

// Append appends an item as bytes, for Read. Sets are refused, and so is what lies
// deeper than MaxDepth.
func Append(b []byte, item store.Item) ([]byte, error) { return appendMap(b, item, 0) }

func appendMap(b []byte, m store.Item, depth int) (_ []byte, err error) {
	b = binary.AppendUvarint(b, uint64(len(m)))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if b, err = appendValue(appendText(b, name), m[name], depth); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func appendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendValue(b []byte, value types.AttributeValue, depth int) (_ []byte, err error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("lists and maps lie more than %d deep", MaxDepth)
	}
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return appendText(append(b, kindString), v.Value), nil
	case *types.AttributeValueMemberN:
		return appendText(append(b, kindNumber), v.Value), nil
	case *types.AttributeValueMemberB:
		return appendText(append(b, kindBinary), v.Value), nil
	case *types.AttributeValueMemberBOOL:
		if v.Value {
			return append(b, kindTrue), nil
		}
		return append(b, kindFalse), nil
	case *types.AttributeValueMemberNULL:
		return append(b, kindNull), nil
	case *types.AttributeValueMemberM:
		return appendMap(append(b, kindMap), v.Value, depth+1)
	case *types.AttributeValueMemberL:
		b = binary.AppendUvarint(append(b, kindList), uint64(len(v.Value)))
		for _, e := range v.Value {
			if b, err = appendValue(b, e, depth+1); err != nil {
				return nil, err
			}
		}
		return b, nil
	}
	return nil, fmt.Errorf("an attribute is a %T, which no table has", value)
}

// Read is the item that Append has written, a copy whose strings share memory;
// ErrMalformed where b is not as it was written.
func Read(b []byte) (item store.Item, err error) {
	defer func() {
		if recover() != nil { // what ends too early is out of the bounds of a slice
			item, err = nil, ErrMalformed
		}
	}()
	r := reader{string(b)}
	if item = r.item(); r.rest != "" {
		return nil, ErrMalformed
	}
	return item, nil
}

// reader takes values off the front of rest.
type reader struct{ rest string }

func (r *reader) take(n int) (taken string) {
	taken, r.rest = r.rest[:n], r.rest[n:]
	return taken
}

// count is a number of bytes or elements, each of which takes a byte at least.
func (r *reader) count() int {
	n, length := binary.Uvarint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	if length <= 0 {
		panic("no number")
	}
	r.take(length)
	return len(r.rest[:n])
}

func (r *reader) text() string { return r.take(r.count()) }

func (r *reader) item() store.Item {
	n := r.count()
	item := make(store.Item, n+2) // callers add the key attributes
	for range n {
		name := r.text()
		item[name] = r.value()
	}
	return item
}

func (r *reader) value() types.AttributeValue {
	switch kind := r.take(1)[0]; kind {
	case kindString:
		return &types.AttributeValueMemberS{Value: r.text()}
	case kindNumber:
		return &types.AttributeValueMemberN{Value: r.text()}
	case kindBinary:
		return &types.AttributeValueMemberB{Value: []byte(r.text())}
	case kindTrue, kindFalse:
		return &types.AttributeValueMemberBOOL{Value: kind == kindTrue}
	case kindNull:
		return &types.AttributeValueMemberNULL{Value: true}
	case kindMap:
		return &types.AttributeValueMemberM{Value: r.item()}
	case kindList:
		list := make([]types.AttributeValue, r.count())
		for i := range list {
			list[i] = r.value()
		}
		return &types.AttributeValueMemberL{Value: list}
	}
	panic("a value of no kind")
}
