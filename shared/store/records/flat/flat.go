// Package flat writes an item of the table as bytes, and makes the item of them again:
// what is too large for one item is packed so (records, pieces.go), and what a load is
// to write.
package flat

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/packed"
	"touchline/shared/store"
)

// List is an item as package packed writes it: its values in order, each
// container before what it holds. The attributes of a map are in the order of
// their names, so that the same item always gives the same bytes.
type List struct{ Values []Value }

// Value is a value, or the beginning of a list or map.
type Value struct {
	Kind  int    // as listed below
	Name  string // in a map
	Text  string // of a string or number
	Bytes []byte
	Count int // of what a list or map holds
}

const (
	kindNull = iota
	kindFalse
	kindTrue
	kindString
	kindNumber
	kindBytes
	kindList
	kindMap
)

// Append appends an item as bytes, for Read. Items of the same attributes have the same
// bytes. Sets are refused.
func Append(b []byte, item store.Item) ([]byte, error) {
	list, err := Of(item)
	if err != nil {
		return nil, err
	}
	return packed.Append(b, list), nil
}

// Read is the item that Append has written; packed.ErrMalformed where b is not as it was
// written.
func Read(b []byte) (store.Item, error) {
	var list List
	if err := packed.Value(b, &list); err != nil {
		return nil, err
	}
	return list.Item()
}

// Of is an item as a list of values. Sets are refused.
func Of(item store.Item) (*List, error) {
	f := &List{}
	return f, f.add("", &types.AttributeValueMemberM{Value: item})
}

func (f *List) add(name string, v types.AttributeValue) error {
	x := Value{Name: name}
	switch v := v.(type) {
	case *types.AttributeValueMemberNULL:
	case *types.AttributeValueMemberBOOL:
		if x.Kind = kindFalse; v.Value {
			x.Kind = kindTrue
		}
	case *types.AttributeValueMemberS:
		x.Kind, x.Text = kindString, v.Value
	case *types.AttributeValueMemberN:
		x.Kind, x.Text = kindNumber, v.Value
	case *types.AttributeValueMemberB:
		x.Kind, x.Bytes = kindBytes, v.Value
	case *types.AttributeValueMemberL:
		x.Kind, x.Count = kindList, len(v.Value)
		f.Values = append(f.Values, x)
		for _, e := range v.Value {
			if err := f.add("", e); err != nil {
				return err
			}
		}
		return nil
	case *types.AttributeValueMemberM:
		x.Kind, x.Count = kindMap, len(v.Value)
		f.Values = append(f.Values, x)
		for _, key := range slices.Sorted(maps.Keys(v.Value)) {
			if err := f.add(key, v.Value[key]); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("a record has a %T", v)
	}
	f.Values = append(f.Values, x)
	return nil
}

// Item is the item that Of was given.
func (f *List) Item() (store.Item, error) {
	rest := f.Values
	v, err := unflatten(&rest)
	if m, ok := v.(*types.AttributeValueMemberM); ok && err == nil && len(rest) == 0 {
		return m.Value, nil
	}
	return nil, fmt.Errorf("parts hold no record: %w", err)
}

func unflatten(rest *[]Value) (types.AttributeValue, error) {
	if len(*rest) == 0 {
		return nil, fmt.Errorf("a value is missing")
	}
	x := (*rest)[0]
	*rest = (*rest)[1:]
	switch x.Kind {
	case kindFalse, kindTrue:
		return &types.AttributeValueMemberBOOL{Value: x.Kind == kindTrue}, nil
	case kindString:
		return &types.AttributeValueMemberS{Value: x.Text}, nil
	case kindNumber:
		return &types.AttributeValueMemberN{Value: x.Text}, nil
	case kindBytes:
		return &types.AttributeValueMemberB{Value: x.Bytes}, nil
	case kindList:
		list := &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
		for range x.Count {
			v, err := unflatten(rest)
			if err != nil {
				return nil, err
			}
			list.Value = append(list.Value, v)
		}
		return list, nil
	case kindMap:
		m := &types.AttributeValueMemberM{Value: store.Item{}}
		for range x.Count {
			if len(*rest) == 0 {
				return nil, fmt.Errorf("a value is missing")
			}
			name := (*rest)[0].Name
			v, err := unflatten(rest)
			if err != nil {
				return nil, err
			}
			m.Value[name] = v
		}
		return m, nil
	}
	return &types.AttributeValueMemberNULL{Value: true}, nil
}
