// Package pagedlist keeps ordered lists in a table of items. A page of a list of up to
// 8,000 entries is read in two round trips, wherever it is, with its total and with
// filters; of a longer list in three. A list of n entries takes some n/30 items.
//
// # How it works
//
// Callers describe the entries of a list by a Schema, change lists by Apply, and read
// pages by Read. The partition of a list, L#<list>, holds
//
//	H         the head: every read begins with it
//	C#<name>  chunks: some 2 KB of entries each, packed into one attribute
//	P#<name>  index pages, of long lists
//
// A list that fits one item is in its head. A longer one is cut into chunks (cut.go),
// and its head has the index: for each chunk a row with its name, the number of its
// entries by Facet, and the separator from the chunk before (index.go). The rows of a
// long list are cut into index pages, and its head has a directory, a row for each page.
//
// A chunk ends after an entry whose key hashes to a cut, unless it would be too small,
// or at the latest when it is large. The name of a chunk is a hash of the keys and
// facets of its entries. Rows are cut into pages alike, and a page's name is a hash of
// what it says. So all items of a list are a function of its entries: whatever edits it
// has had, they are those of a list that is written at once, and Check compares a list
// with its entries by computing its items.
//
// An edit reads what its changes touch, merges them, cuts the result again, and writes what
// differs (editor.go). It goes on to the next chunk until one ends where it did before:
// an insert changes one chunk, and now and then the next. A read takes the head, decides
// from the counts which chunks hold the page, and reads these together (spans.go).
//
// # Invariants
//
// What a name stands for never changes, but for payloads: what an entry says beside its key
// and its facet changes in place. So whatever a head names is what it says, or gone.
//
// An edit writes new chunks and pages, then the head, with the payloads that change in
// place, and then removes what the head names no more. Writing the head commits the
// edit: a reader sees the list before or after it, or misses a chunk, fails with
// ErrStale, and reads again. An edit that was killed may leave items that no head names.
// Nobody reads them; the same Apply with Again removes them.
//
// A list has one editor at a time. Readers need no coordination.
//
// # Why
//
// An item for each entry is cheaper to change, one unit where a chunk takes three, and
// ten times as many items to load. And an offset is found by reading what lies before
// it, the total of a filter by reading all of it: up to 180 units for a page of 100
// where chunks take 2 to 4. Items of 100 entries each cross pages of other sizes, and an
// insert shifts all behind it.
//
// A filter has no list of its own, such as one of the inactive players: where few entries
// of many match, a page of 100 reads up to 100 chunks, 50 units in place of 3, in the same
// round trips. Such lists would double what a load writes, for pages that are seldom read.
package pagedlist
