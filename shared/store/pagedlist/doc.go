// Package pagedlist keeps ordered lists in a DynamoDB table. Any page of any list
// is read in two round trips, whatever the length of the list, with its total and
// with filters. A list of n entries takes some n/30 items.
//
// # How it works
//
// Callers describe the entries of a list by a Schema, change lists by Apply, and
// read pages by Read. The stored.Partition of a list, L#<list>, holds
//
//	H           the head: every read begins with it
//	C#00000042  chunks: up to 4 KB of entries each, packed into one attribute
//	P#000007    index pages, of long lists
//	T           the index of the list's end, of long lists
//
// There are three layouts. A list that fits one item is in its head. A longer one
// has chunks, and an index of them in the head: for each chunk, in order, its
// number, the number of its entries by Facet, and the separator from the chunk
// before. A list whose index would exceed 8 KB is long: its index is in pages of
// up to 256 chunks, and its head has a directory of these pages, in the same form.
// The head also has the window, a stretch of the index without separators. It
// covers the first 10,000 visible entries, and as many of each facet that a third
// of them have. T has the same for the last 10,000, for reads in reverse. Index,
// page, directory and window are all stored as a block (package index).
//
// A list may have parts, such as the matches of one status (Schema.Part): few entries
// of many may be of a part, so that it is a list of its own, in the same order.
// But a list in its head has no lists of its parts. A read of a part that has none
// takes the whole list's head, and selects.
//
// A read takes the head, decides from the counts which chunks hold the page, and
// reads these together (plan.go). An edit reads what its changes touch, merges
// them, and writes what differs; items that split or shrink are balanced with
// their neighbours (editor.go, balance.go).
//
// # Invariants
//
// A chunk number is used once in the life of a list. The chunk with that number
// keeps its keys and facets, and only payloads may change in place. Index pages
// never change. So whatever an index names is either what it says, or gone.
//
// An edit writes new chunks and pages first, then the head, and then deletes what
// the head no longer names. Writing the head commits the edit. A reader sees the
// list before or after it, or misses a chunk and fails with ErrStale. An edit
// that was killed leaves one of the two, and perhaps items that no head names:
// Sweep deletes them. T is not part of the commit: the head has its checksum,
// and a read whose T has another goes without.
//
// An edit changes parts before it writes the head of their list, or a payload in
// place. So a list with chunks has all its parts, and a part without a list is read
// from the whole one, whatever that has become: after a kill, too, a part is as it
// was or as it is to be. The same edit completes it, since what it takes from the
// list has not changed there yet.
//
// The life of a list is a random number in its head, chunks and pages. A list that was
// emptied and filled again has another number. So a reader who still has the former
// head in a cache does not take the new chunks for its own.
//
// A list has one editor at a time. Readers need no coordination.
//
// # Why
//
// The plain alternative is an item for each entry, sorted by its key. Its costs
// are computed from what a load of Austria's leagues puts into lists: 39,364
// entries of 84 bytes, 144 with a key of their own, in 2,107 lists. Those of this
// package are measured with the same load:
//
//	                                   plain items    this package
//	items of lists                     39,364         2,756
//	items of the load, in all          43,417         6,809
//	write units of the load            44,258         10,106
//	time of the load, at 150 µs an
//	item of the embedded engine        6.5 s          1.0 s
//	an entry's payload changes         1 unit         4 units, a chunk
//	an entry comes or goes             1 unit         9 units: a chunk, the one
//	                                                  it replaces, the head
//	a page of 100, any offset          2 units        2 to 4 units
//	  what finds the page's first key  up to 180      1 unit, the head
//	the total of a filtered list       up to 180      nothing: the head has it
//
// So plain items are cheaper to change, and as cheap to read once it is known
// where a page begins. That is the trouble: an offset is found by reading what
// lies before it, up to the 10,000 entries of the window or 180 read units, and
// the total of a filter by reading all of it. A head with the keys at page
// boundaries would serve one order and one page size. It would change with every
// insert, and each combination of filters would need its own.
//
// An item for each page of 100 entries makes heads needless and reads cheap, but
// pages of other sizes cross items, and an insert shifts every page behind it: in
// a list of 10,000 entries up to 100 items of 9 write units. Chunks are such pages
// of no fixed size: an insert touches one, and the head says which holds an offset.
//
// Parts were lists that callers kept, however short the whole one was. Most lists
// are short: of a federation of 10,000 players and 2,500 matches 1,800 items of
// 37,300 were lists of parts of lists that are in their heads. Where every match
// has a goal, each cost 20.5 write units and 12 items, and costs 18.9 and 10: its
// teams had a list of live matches next to that of all. In return a page of a part
// of a short list takes a second round trip, and no more units.
//
// What the index holds was weighed against the bounds of a page, two round trips
// and two read units in addition to the size of its answer (cost_test.go):
//
//   - Ticks, which count a chunk's entries by time, stay: without them a range of
//     matches reads the chunks at both ends to count them, and one match costs 3.5
//     units where 2.04 are allowed.
//   - One bound of 8 KB for heads replaces two, of 4 and 8 KB. The costliest page
//     of the tests then takes 2.0 of 2.03 units.
//   - Counts have one encoding, for facets that few chunks have. A second one, for
//     facets that all have, halves a window of 770 chunks from 1.6 to 0.8 KB. No
//     bound needs that.
//   - Ids are stored as twelve bytes (package packed): that saves 22 of 97 bytes of
//     a player's entry, and as many chunks.
package pagedlist
