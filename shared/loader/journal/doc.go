// Package journal makes the writes of a load so that one that is killed anywhere is
// finished by the next.
//
// The writes are sorted, kept in a journal before the first of them, and after a kill made
// again from the start: each may be made twice. A table is in one of three states:
//
//	        keeps the journal              writes its header
//	idle ──────────────────────► keeping ───────────────────► decided ──┐
//	 ▲ ▲                            │                          │    ▲   │ killed: the next load
//	 │ └── killed: nothing is kept ─┘                          │    └───┘ makes them again
//	 └──────────────────── all writes are made, or given up ───┘
//
// The header is the payload of the lease, so it comes and goes with one write by whoever
// holds the lease. A load that takes the lease (Take) and finds a header makes the writes of
// that journal before anything else (Writer).
//
// A first load keeps its records instead: there was nothing before, so its writes follow
// from them and would take fifteen times the space.
//
// # Invariants
//
//   - Every write may be made twice: an item is written as a whole, and an edit of a
//     list puts an entry as it is to be, or says that there is to be none. Lists are cut by
//     their content (package pagedlist), so an edit that is made again ends in the same
//     items.
//   - Nothing of a load is in the table before its journal is complete.
//   - Header.Made says no more than is true. It is there for loads that take longer than a
//     process may run, such as a function: without it they would never end.
package journal
