// Package stored is how the items of a paged list lie in the table: their keys and
// attributes (package pagedlist says what they are for).
package stored

import (
	"fmt"
	"hash/fnv"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/packed"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist/index"
	"touchline/shared/store/space"
)

// Partition is that of all items of a list.
func Partition(list string) string { return listPrefix + list }

const listPrefix = space.Prefix + "L#"

// ListIn is the list whose items a partition holds.
func ListIn(pk string) (list string, ok bool) { return strings.CutPrefix(pk, listPrefix) }

// The sort keys of the head, and of the index of the end.
const (
	HeadSK = "H"
	TailSK = "T"
)

// HeadKey is where the head of a list lies.
func HeadKey(list string) store.Key { return store.Key{PK: Partition(list), SK: HeadSK} }

// TailKey is where the index of the end of a long list lies.
func TailKey(list string) store.Key { return store.Key{PK: Partition(list), SK: TailSK} }

// ChunkKey is where a chunk lies.
func ChunkKey(list string, num int) store.Key {
	return store.Key{PK: Partition(list), SK: fmt.Sprintf("C#%08d", num)}
}

// PageKey is where an index page lies.
func PageKey(list string, num int) store.Key {
	return store.Key{PK: Partition(list), SK: fmt.Sprintf("P#%06d", num)}
}

// The attributes of the items:
//
//	H  e entries, packed (package pagedlist), of a list that fits; else
//	   l life, n next chunk number, and
//	   i the whole index; or
//	   d directory, w window, m next page number, t checksum of T's window
//	C  l life, e entries
//	P  l life, i the index page
//	T  w window
const (
	attrEntries   = "e"
	attrLife      = "l"
	attrNextChunk = "n"
	attrIndex     = "i"
	attrDirectory = "d"
	attrWindow    = "w"
	attrNextPage  = "m"
	attrTailSum   = "t"
)

// A Head is a decoded H item: exactly one of Entries, Index and Directory is set.
type Head struct {
	Entries   []byte // packed
	Life      uint32
	NextChunk int
	Index     []byte
	Directory []byte
	Window    []byte
	NextPage  int
	TailSum   uint64
}

// ParseHead decodes an H item.
func ParseHead(item store.Item) Head {
	return Head{
		Entries:   bytesOf(item, attrEntries),
		Life:      Life(item),
		NextChunk: int(numberOf(item, attrNextChunk)), //nolint:gosec // written as one
		Index:     bytesOf(item, attrIndex),
		Directory: bytesOf(item, attrDirectory),
		Window:    bytesOf(item, attrWindow),
		NextPage:  int(numberOf(item, attrNextPage)), //nolint:gosec // written as one
		TailSum:   numberOf(item, attrTailSum),
	}
}

// Item is the H item.
func (h Head) Item() store.Item {
	if h.Index == nil && h.Directory == nil {
		return EntriesItem(h.Entries)
	}
	item := store.Item{
		attrLife:      number(uint64(h.Life)),
		attrNextChunk: number(uint64(h.NextChunk)), //nolint:gosec // not negative
	}
	if h.Index != nil {
		item[attrIndex] = blob(h.Index)
		return item
	}
	item[attrDirectory] = blob(h.Directory)
	item[attrWindow] = blob(h.Window)
	item[attrNextPage] = number(uint64(h.NextPage)) //nolint:gosec // not negative
	item[attrTailSum] = number(h.TailSum)
	return item
}

// Free is a head with numbers of chunks and pages that are above those of all keys.
func Free(keys []store.Key) Head {
	var h Head
	for _, key := range keys {
		var num int
		if _, err := fmt.Sscanf(key.SK, "C#%d", &num); err == nil && num < index.MaxNum-1 {
			h.NextChunk = max(h.NextChunk, num+1)
		}
		if _, err := fmt.Sscanf(key.SK, "P#%d", &num); err == nil && num < index.MaxNum-1 {
			h.NextPage = max(h.NextPage, num+1)
		}
	}
	return h
}

// EntriesItem is the head of a list that is in its head.
func EntriesItem(entries []byte) store.Item {
	return store.Item{attrEntries: blob(entries)}
}

// ChunkItem is a chunk.
func ChunkItem(life uint32, entries []byte) store.Item {
	item := EntriesItem(entries)
	item[attrLife] = number(uint64(life))
	return item
}

// PageItem is an index page.
func PageItem(life uint32, block []byte) store.Item {
	return store.Item{attrLife: number(uint64(life)), attrIndex: blob(block)}
}

// TailItem is the index of the end of a long list.
func TailItem(window []byte) store.Item { return store.Item{attrWindow: blob(window)} }

// SizeOf is the size of an item with its key.
func SizeOf(key store.Key, item store.Item) int {
	return store.Size(item) + len("pk") + len(key.PK) + len("sk") + len(key.SK)
}

// Sum is a checksum of a window.
func Sum(window []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(window) // never fails
	return h.Sum64()
}

func number(n uint64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatUint(n, 10)}
}

func blob(b []byte) types.AttributeValue { return &types.AttributeValueMemberB{Value: b} }

func numberOf(item store.Item, name string) uint64 {
	if v, ok := item[name].(*types.AttributeValueMemberN); ok {
		n, err := strconv.ParseUint(v.Value, 10, 64)
		if err == nil {
			return n
		}
	}
	return 0
}

// Life is that of the list when a chunk or an index page was written.
func Life(item store.Item) uint32 {
	return uint32(numberOf(item, attrLife)) //nolint:gosec // written as one
}

// Entries are the packed entries of a chunk.
func Entries(item store.Item) []byte { return bytesOf(item, attrEntries) }

// Index is the block of an index page.
func Index(item store.Item) []byte { return bytesOf(item, attrIndex) }

// Window is the block of the index of the end.
func Window(item store.Item) []byte { return bytesOf(item, attrWindow) }

func bytesOf(item store.Item, name string) []byte {
	if v, ok := item[name].(*types.AttributeValueMemberB); ok {
		return v.Value
	}
	return nil
}

// Values are packed entries, each packed by itself.
func Values(b []byte) (values [][]byte, err error) {
	err = packed.Unmarshal(b, &values)
	return values, err
}

// Len is how many entries items hold, which are all those of a list, as far as they can
// be read.
func Len(items []store.Item) int {
	n := 0
	for _, item := range items {
		if values, err := Values(Entries(item)); err == nil {
			n += len(values)
		}
	}
	return n
}

// Same compares an item of the table with one that has no key.
func Same(item, want store.Item) bool {
	item = maps.Clone(item)
	delete(item, store.PKName)
	delete(item, store.SKName)
	return reflect.DeepEqual(item, want)
}
