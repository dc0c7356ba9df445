package file

import (
	"testing"

	"touchline/shared/store"
)

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
	for begin, after := range map[string]string{"ab": "ac", "a\xff\xff": "b", "\xff": ""} {
		if got := following([]byte(begin)); string(got) != after {
			t.Errorf("%q follows on %q, want %q", got, begin, after)
		}
	}
}
