package pagedlist

import (
	"touchline/shared/store"
	"touchline/shared/store/pagedlist/stored"
)

// Partition is the partition key of the items of a list.
func Partition(list string) string { return stored.Partition(list) }

// ListIn is the list whose items a partition holds.
func ListIn(pk string) (list string, ok bool) { return stored.ListIn(pk) }

// HeadKeys are the items that Plan needs of a list, so that callers can read them
// together with others.
func HeadKeys(list string, reverse bool) []store.Key {
	if reverse {
		return []store.Key{stored.HeadKey(list), stored.TailKey(list)}
	}
	return []store.Key{stored.HeadKey(list)}
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
