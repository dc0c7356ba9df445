package records

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// flatItem is an item as package packed writes it: its values in order, each
// container before what it holds. The attributes of a map are in the order of
// their names, so that the same item always gives the same bytes.
type flatItem struct{ Values []flatValue }

// flatValue is a value, or the beginning of a list or map.
type flatValue struct {
	Kind  int
	Name  string // in a map
	Text  string // of a string or number
	Bytes []byte
	Count int // of what a list or map holds
}

const (
	flatNull = iota
	flatFalse
	flatTrue
	flatString
	flatNumber
	flatBytes
	flatList
	flatMap
)

func flatten(item store.Item) (*flatItem, error) {
	f := &flatItem{}
	return f, f.add("", &types.AttributeValueMemberM{Value: item})
}

func (f *flatItem) add(name string, v types.AttributeValue) error {
	x := flatValue{Name: name}
	switch v := v.(type) {
	case *types.AttributeValueMemberNULL:
	case *types.AttributeValueMemberBOOL:
		if x.Kind = flatFalse; v.Value {
			x.Kind = flatTrue
		}
	case *types.AttributeValueMemberS:
		x.Kind, x.Text = flatString, v.Value
	case *types.AttributeValueMemberN:
		x.Kind, x.Text = flatNumber, v.Value
	case *types.AttributeValueMemberB:
		x.Kind, x.Bytes = flatBytes, v.Value
	case *types.AttributeValueMemberL:
		x.Kind, x.Count = flatList, len(v.Value)
		f.Values = append(f.Values, x)
		for _, e := range v.Value {
			if err := f.add("", e); err != nil {
				return err
			}
		}
		return nil
	case *types.AttributeValueMemberM:
		x.Kind, x.Count = flatMap, len(v.Value)
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

// item is what flatten was given.
func (f *flatItem) item() (store.Item, error) {
	rest := f.Values
	v, err := unflatten(&rest)
	if m, ok := v.(*types.AttributeValueMemberM); ok && err == nil && len(rest) == 0 {
		return m.Value, nil
	}
	return nil, fmt.Errorf("parts hold no record: %w", err)
}

func unflatten(rest *[]flatValue) (types.AttributeValue, error) {
	if len(*rest) == 0 {
		return nil, fmt.Errorf("a value is missing")
	}
	x := (*rest)[0]
	*rest = (*rest)[1:]
	switch x.Kind {
	case flatFalse, flatTrue:
		return &types.AttributeValueMemberBOOL{Value: x.Kind == flatTrue}, nil
	case flatString:
		return &types.AttributeValueMemberS{Value: x.Text}, nil
	case flatNumber:
		return &types.AttributeValueMemberN{Value: x.Text}, nil
	case flatBytes:
		return &types.AttributeValueMemberB{Value: x.Bytes}, nil
	case flatList:
		list := &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
		for range x.Count {
			v, err := unflatten(rest)
			if err != nil {
				return nil, err
			}
			list.Value = append(list.Value, v)
		}
		return list, nil
	case flatMap:
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
