package pagedlist

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
	"touchline/shared/store/space"
)

// Partition is the partition key of the items of a list.
func Partition(list string) string { return listPrefix + list }

const listPrefix = space.Prefix + "L#"

// ListIn is the list whose items a partition holds.
func ListIn(pk string) (list string, ok bool) { return strings.CutPrefix(pk, listPrefix) }

const headSK = "H"

func headKey(list string) store.Key { return store.Key{PK: Partition(list), SK: headSK} }

func tailKey(list string) store.Key { return store.Key{PK: Partition(list), SK: "T"} }

func chunkKey(list string, num int) store.Key {
	return store.Key{PK: Partition(list), SK: fmt.Sprintf("C#%08d", num)}
}

func pageKey(list string, num int) store.Key {
	return store.Key{PK: Partition(list), SK: fmt.Sprintf("P#%06d", num)}
}

// HeadKeys are the items that Plan needs of a list, so that callers can read them
// together with others.
func HeadKeys(list string, reverse bool) []store.Key {
	if reverse {
		return []store.Key{headKey(list), tailKey(list)}
	}
	return []store.Key{headKey(list)}
}

// layout are the bounds by which lists are cut up; only tests have others than
// defaultLayout.
type layout struct {
	chunk  int // bytes of a chunk, and of a head with entries
	head   int // bytes of a head with the whole index
	page   int // rows of an index page
	window int // visible entries that a window covers
}

// defaultLayout: DynamoDB charges half a read unit for every started 4096
// bytes; 32 are left for what Size and DynamoDB may count differently. A chunk
// of half a unit is the least that a page can cost. A head of a whole unit
// leaves one of the two that a page may cost in addition to its response (Why). A
// window covers the page window of read-api.md, Limits.
func defaultLayout() layout {
	return layout{chunk: 4096 - 32, head: 8192 - 32, page: 256, window: 10_000}
}

// How full chunks and pages are, in percent of their bounds.
const (
	// fillPercent is how full new ones are when several take the place of others:
	// a fifth is left for inserts. At 100 each insert would split one; at 50,
	// which a B-tree's splits come to, a page of a list would cost half as much
	// again to read.
	fillPercent = 80
	// keepPercent is how full the chunks of an edit may be without there being
	// more of them than before: an insert into chunks that are nearly full writes
	// no further one until it has to.
	keepPercent = 95
	// lowPercent is what a chunk or page is merged with a neighbour below. It is
	// less than half of fillPercent, so that the halves of a split are not merged
	// by the next delete.
	lowPercent = 25
)

// The attributes of the items:
//
//	H  e entries, packed (packEntries), of a list that fits; else
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

// A head is a decoded H item: exactly one of entries, index and directory is set.
type head struct {
	entries   []byte // packed
	life      uint32
	nextChunk int
	index     []byte
	directory []byte
	window    []byte
	nextPage  int
	tailSum   uint64
}

func parseHead(item store.Item) head {
	return head{
		entries:   bytesOf(item, attrEntries),
		life:      lifeOf(item),
		nextChunk: int(numberOf(item, attrNextChunk)), //nolint:gosec // written as one
		index:     bytesOf(item, attrIndex),
		directory: bytesOf(item, attrDirectory),
		window:    bytesOf(item, attrWindow),
		nextPage:  int(numberOf(item, attrNextPage)), //nolint:gosec // written as one
		tailSum:   numberOf(item, attrTailSum),
	}
}

func (h head) item() store.Item {
	if h.index == nil && h.directory == nil {
		return entriesItem(h.entries)
	}
	item := store.Item{
		attrLife:      number(uint64(h.life)),
		attrNextChunk: number(uint64(h.nextChunk)), //nolint:gosec // not negative
	}
	if h.index != nil {
		item[attrIndex] = blob(h.index)
		return item
	}
	item[attrDirectory] = blob(h.directory)
	item[attrWindow] = blob(h.window)
	item[attrNextPage] = number(uint64(h.nextPage)) //nolint:gosec // not negative
	item[attrTailSum] = number(h.tailSum)
	return item
}

func entriesItem(entries []byte) store.Item {
	return store.Item{attrEntries: blob(entries)}
}

func chunkItem(life uint32, entries []byte) store.Item {
	item := entriesItem(entries)
	item[attrLife] = number(uint64(life))
	return item
}

func pageItem(life uint32, block []byte) store.Item {
	return store.Item{attrLife: number(uint64(life)), attrIndex: blob(block)}
}

func tailItem(window []byte) store.Item { return store.Item{attrWindow: blob(window)} }

// sizeOf is the size of an item with its key.
func sizeOf(key store.Key, item store.Item) int {
	return store.Size(item) + len("pk") + len(key.PK) + len("sk") + len(key.SK)
}

// sum is a checksum of a window.
func sum(window []byte) uint64 {
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

func lifeOf(item store.Item) uint32 {
	return uint32(numberOf(item, attrLife)) //nolint:gosec // written as one
}

func bytesOf(item store.Item, name string) []byte {
	if v, ok := item[name].(*types.AttributeValueMemberB); ok {
		return v.Value
	}
	return nil
}
