// Package pagedlist keeps ordered lists in a DynamoDB table so that any page of any
// list is read in two round trips, and so that a list of n entries takes some
// n/20 items instead of n.
//
// # Layout
//
// The partition of a list, L#<list>, holds
//
//	H           the head: where everything begins
//	C#00000042  chunks: up to 4 KB of entries each, the unit of a read's cost;
//	            the entries are one binary attribute (payload.go)
//	P#000007    index pages, for long lists
//	T           the index of the list's end, for long lists
//
// A list that fits one item is in the head itself. A longer one has an index
// in the head: for each chunk, in order, its number, its entries counted by
// Facet, and the separator between it and the chunk before. Where that would
// pass 4 KB (beyond some 10,000 entries), the index goes to pages of up to 256
// chunks, and the head has the directory of these pages, in the same form, and
// the window: the part of the index, without separators, that covers the first
// 10,000 visible entries, and of each common facet as many. T has the same for
// the last ones, for reverse reads. All four are blocks (block.go).
//
// # Invariants
//
// A chunk number is used once in a list's life, and what has the number never
// changes but for payloads that leave keys and facets as they were; so a chunk
// that is found is the one the index speaks of. Index pages never change at
// all. An edit writes new chunks and pages first, then the head, then deletes
// what the head no longer names: a reader sees the old list or the new one, or
// misses a chunk and hears ErrStale, and an edit that was killed leaves one of
// the two, and perhaps items that no head names (Sweep). The head commits, and
// alone: it knows T by checksum and goes without it where that differs.
//
// The life of a list is a random number in its head, chunks and pages: a list
// that was emptied and filled again begins a new one, with numbers from zero.
//
// A list has one editor at a time; readers need no coordination.
package pagedlist
