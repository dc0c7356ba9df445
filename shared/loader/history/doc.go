// Package history says what a load changed, keeps the last loads, and knows what
// it takes to undo the last one.
//
// [Compare] gives a record's fields that differ, as a person reads them. [Undo]
// collects, record by record, the way back: which fields to give their old
// values, what a deleted record was, and a hash of the record as the load left
// it, so that no later change is lost by going back. Records are lines of the
// dataset format (dataset.Append), in which what has its default is left out.
//
// An [Entry] is a load in the table: an item of less than a kilobyte, so that the
// load of a live score pays one write unit for it. What does not fit lies in
// items of its own, which only loads write that have more to say. Entries lie in the
// order of their numbers; each load removes some that are too old ([Kept]). An entry is
// written before the load is decided, so the [Mark] says which is the last: it lies in
// the item of the lease, and is written as the load ends.
package history
