package flat_test

import (
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"touchline/shared/store"
	"touchline/shared/store/flat"
)

func TestAnItemSurvivesItsBytes(t *testing.T) {
	item := store.Item{
		"pk": &types.AttributeValueMemberS{Value: "P#1"},
		"n":  &types.AttributeValueMemberN{Value: "-12.5"},
		"b":  &types.AttributeValueMemberB{Value: []byte{0, 255, 7}},
		"e":  &types.AttributeValueMemberB{Value: []byte{}},
		"t":  &types.AttributeValueMemberBOOL{Value: true},
		"f":  &types.AttributeValueMemberBOOL{},
		"0":  &types.AttributeValueMemberNULL{Value: true},
		"l": &types.AttributeValueMemberL{Value: []types.AttributeValue{
			&types.AttributeValueMemberS{Value: "ö"}, &types.AttributeValueMemberM{Value: store.Item{"x": &types.AttributeValueMemberN{Value: "1"}}},
			&types.AttributeValueMemberL{Value: []types.AttributeValue{}},
		}},
		"m": &types.AttributeValueMemberM{Value: store.Item{}},
	}
	b, err := flat.Append(nil, item)
	if err != nil {
		t.Fatal(err)
	}
	got, err := flat.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	ignore := cmpopts.IgnoreUnexported(types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{},
		types.AttributeValueMemberBOOL{}, types.AttributeValueMemberNULL{}, types.AttributeValueMemberL{}, types.AttributeValueMemberM{})
	if diff := cmp.Diff(item, got, ignore); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
	for n := range b {
		if _, err := flat.Read(b[:n]); err == nil {
			t.Errorf("%d of %d bytes make an item", n, len(b))
		}
	}
	if _, err := flat.Read(append(b, 0)); err == nil {
		t.Error("a byte more makes an item")
	}
	if _, err := flat.Append(nil, store.Item{"s": &types.AttributeValueMemberSS{Value: []string{"a"}}}); err == nil {
		t.Error("a set has bytes")
	}
	if _, err := flat.Append(nil, store.Item{"l": nested(flat.MaxDepth + 1)}); err == nil {
		t.Error("a list too deeply has bytes")
	}
}

// What can be decoded at all is encoded and decoded to the same.
func FuzzRead(f *testing.F) {
	for _, item := range []store.Item{{}, {"a": &types.AttributeValueMemberS{Value: "x"}}, {"a": nested(3), "b": &types.AttributeValueMemberN{Value: "7"}}} {
		encoded, err := flat.Append(nil, item)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(encoded)
	}
	f.Add([]byte{1, 1, 'a', 'L', 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, encoded []byte) {
		item, err := flat.Read(encoded)
		if err != nil {
			return
		}
		again, err := flat.Append(nil, item)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := flat.Read(again); err != nil || !reflect.DeepEqual(got, item) {
			t.Errorf("%v, %v; want %v", got, err, item)
		}
	})
}

func nested(depth int) types.AttributeValue {
	var v types.AttributeValue = &types.AttributeValueMemberNULL{Value: true}
	for range depth {
		v = &types.AttributeValueMemberL{Value: []types.AttributeValue{v}}
	}
	return v
}
