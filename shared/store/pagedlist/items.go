package pagedlist

import (
	"encoding/hex"
	"maps"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/packed"
	"touchline/shared/store"
	"touchline/shared/store/space"
)

// Partition is the partition key of the items of a list.
func Partition(list string) string { return listPrefix + list }

const listPrefix = space.Prefix + "L#"

// ListIn is the list whose items a partition holds.
func ListIn(pk string) (list string, ok bool) { return strings.CutPrefix(pk, listPrefix) }

const headSK = "H"

// HeadKey is where the head of a list lies: what a Reading wants first, so that callers
// can read it together with other items.
func HeadKey(list string) store.Key { return store.Key{PK: Partition(list), SK: headSK} }

// IsHead reports whether a key of the partition of a list is that of its head.
func IsHead(key store.Key) bool { return key.SK == headSK }

func chunkKey(list, name string) store.Key {
	return store.Key{PK: Partition(list), SK: "C#" + hex.EncodeToString([]byte(name))}
}

func pageKey(list, name string) store.Key {
	return store.Key{PK: Partition(list), SK: "P#" + hex.EncodeToString([]byte(name))}
}

// The attributes of the items. Each item has one:
//
//	H  e, the entries of a list that fits; or
//	   i, the rows of its chunks; or
//	   d, the rows of its index pages
//	C  e, entries
//	P  i, the rows of chunks
const (
	attrEntries   = "e"
	attrIndex     = "i"
	attrDirectory = "d"
)

func itemOf(attribute string, b []byte) store.Item {
	return store.Item{attribute: &types.AttributeValueMemberB{Value: b}}
}

// bytesOf is an attribute; nil where the item has none of that name.
func bytesOf(item store.Item, attribute string) []byte {
	if v, ok := item[attribute].(*types.AttributeValueMemberB); ok {
		return v.Value
	}
	return nil
}

// values are packed entries, each packed by itself.
func values(b []byte) (all [][]byte, err error) {
	err = packed.Unmarshal(b, &all)
	return all, err
}

// Len is how many entries items hold, which are all those of a list, as far as they can
// be read.
func Len(items []store.Item) int {
	n := 0
	for _, item := range items {
		if all, err := values(bytesOf(item, attrEntries)); err == nil {
			n += len(all)
		}
	}
	return n
}

// same compares an item of the table with one that has no key.
func same(item, want store.Item) bool {
	item = maps.Clone(item)
	delete(item, store.PKName)
	delete(item, store.SKName)
	return reflect.DeepEqual(item, want)
}
