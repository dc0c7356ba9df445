// Package loader brings a dataset into the Sports table: an upsert of the
// records given, in any order, idempotent, and at a cost that follows the size
// of the change (dataset.md).
//
// A load computes two views of the same part of the federation: what the table
// holds (world.Before) and what it will hold (world.After). It projects every
// affected record in both views, and writes what differs. It goes in steps, which take and
// give values. commit.go makes the spool that sorts what is to be written, and the sink before
// it (memory.go), calls plan.go, and then keeps and makes the writes. plan.go calls read, apply,
// check and find; find.go projects what it has found; a projector compares, and gives the sink
// what differs; shown.go and account.go say what of that is told and kept:
//
//	read      the dataset, and whether what it refers to stays   dataset/format, integrity
//	apply     the records to the view after, with the defaults
//	          that need the competition (apply.go)               change, world
//	check     references to what goes, and deletions; what is
//	          erased, and what a strict load refuses             integrity, erasure
//	find      the records that show something of a change        affected
//	project   each of them: its item, and the lists it is in     projection
//	compare   the two views: the writes that are needed          diff
//	sort      them in the order of writing, on disk if many      spool
//	commit    keep the writes in a journal, then make them; a
//	          short one lies in the load's item of the history   journal
//
// Packages import those above them in this list, and this one all of them. Three import one
// below them as well, which takes what they find: projection imports diff, diff imports
// spool, and change imports journal, which keeps the records of a first load.
// Memory follows the change: apply drops records that do not change. A load that needs more
// memory than there is ends before it writes (memory.go).
//
// Package history compares records for the report, and keeps the loads of the past.
// Package sources lists records and gives their lines, and reads them all for a check.
// Package erasure takes what is erased out of stored matches and out of the history
// (D64). Package export imports this one, and writes the dataset of a table. Package since
// brings to an older copy of a table what was decided in the table after it (D91).
//
// # Invariants
//
// Projections are pure functions of a view, so that any order and any partition
// of a dataset into loads ends in the same lists and records.
//
// A load that was killed has changed nothing, or the next load finishes it before it reads
// anything (package journal). A check computes what one load of all records would write,
// and mends what differs from that.
//
// A lease keeps two loads from running at once. It may run out, because the machine of
// a load slept or its renewals failed. Then the load writes nothing more before it has
// renewed it, which fails once another load has taken it (store.Lease.Guard). Nor can
// it complete or remove a journal: the journal's header is in the lease's own item. What
// remains is a call that was in progress when the machine fell asleep and that DynamoDB
// applies after another load has written the same item: the 2 s between the last write
// and the end of the lease are there for it.
//
// # Why
//
// Two views, instead of keeping in each record which lists it is in: of Austria's leagues
// 1,950 records of 0.9 MB have 23,448 entries in lists, whose names alone take 970 KB, so
// that a player would take two write units instead of one. Nothing less would be read, and
// a projection is one function for both views.
//
// A lease around all writes, instead of a fencing token that each write checks:
// BatchWriteItem takes no conditions. That load has 6,817 items in 105 round trips; with a
// token each item would be one of its own, or part of a transaction, at twice the units. So
// the lease is checked before every call, and only what decides a load, the header of its
// journal, is written with a condition.
package loader
