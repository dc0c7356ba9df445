// Package history knows what a load did: its [Report], the records that it changed, and
// what it takes to undo it. It keeps the last loads.
//
// [Compare] gives a record's fields that differ, as a person reads them. A [WayBack]
// collects, record by record, the way back: a [Step] has the fields that the load changed,
// as they were, and a digest of the record as the load left it, so that no later change is
// lost by going back. Records are lines of the dataset format (format.Append), in which
// what has its default is left out.
//
// A [Past] is a load in the table: one item, that of a live score so small that it pays
// one write unit for it, and pieces beside it of a long way back. Of its report the texts
// are left out. Loads lie in the order of their numbers; each removes some that are too old
// ([Kept]). The item is written before the load is decided, so the [Mark] says which is the
// last: it lies in the item of the lease, and is written as the load ends.
package history
