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
// A first load keeps its records instead: there was nothing before, so its writes follow from
// them and would take fifteen times the space. Those of another load do not. A part of what was
// before is in items that the load changes and does not bring: an association leaves another
// one, and the load is killed once the item of its club names the organizations that are above
// it now. Computed again the club is as it is to be, so that its team and its player are never
// written, and a key of the other association goes on seeing them. For one club, team and
// player that is the end of 3 kills of 37. Nor would it do to keep the records before and after
// with the ids of all that they affect, and to project these again: a season that ceases to be
// the current one has its item and its lists under other names then, where those of the next
// season may lie already, and 12 kills of 17 end wrong. It takes 250 lines for the 110 that keep
// writes, and as many write units: 20 for a goal.
//
// # Invariants
//
//   - Every write may be made twice: an item is written as a whole, and an edit of a
//     list puts an entry as it is to be, or says that there is to be none. Lists are cut by
//     their content (package pagedlist), so an edit that is made again ends in the same
//     items.
//   - Nothing of a load is in the table before its journal is complete.
package journal
