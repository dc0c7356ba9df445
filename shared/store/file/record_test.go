package file

import (
	"reflect"
	"testing"

	"touchline/shared/store"
)

// What can be decoded at all is encoded and decoded to the same.
func FuzzDecodeItem(f *testing.F) {
	for _, item := range []store.Item{{}, itemOf("x"), {"a": nested(3), "b": number(7)}} {
		encoded, err := encodeItem(item)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(encoded)
	}
	f.Add([]byte{1, 1, 'a', kindList, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, encoded []byte) {
		item, err := decodeItem(encoded)
		if err != nil {
			return
		}
		again, err := encodeItem(item)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decodeItem(again); err != nil || !reflect.DeepEqual(got, item) {
			t.Errorf("%v, %v; want %v", got, err, item)
		}
	})
}

func TestPartitionsAreRangesOfTheirOwn(t *testing.T) {
	for _, pk := range []string{"", "a", "ab", "\x01a", string(make([]byte, 300))} {
		key := store.Key{PK: pk, SK: "sk"}
		if got, err := keyOf(rowOf(key)); err != nil || got != key {
			t.Errorf("%+v, %v; want %+v", got, err, key)
		}
	}
	for _, row := range [][]byte{nil, {5, 'a'}, {0x80}} {
		if got, err := keyOf(row); err == nil {
			t.Errorf("%v is %+v, want that it is none", row, got)
		}
	}
}
