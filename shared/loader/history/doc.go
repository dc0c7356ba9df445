// Package history says what a load changed, keeps the last loads, and knows what
// it takes to undo the last one.
//
// [Compare] gives a record's fields that differ, as a person reads them; [Change.Kept] is
// what the table keeps of that, without texts. [Undo] collects, record by record, the way
// back: a [Step] has the fields that the load changed, as they were, and a digest of the
// record as the load left it, so that no later change is lost by going back. Records are
// lines of the dataset format (dataset.Append), in which what has its default is left out.
//
// An [Entry] is a load in the table: one item, that of a live score so small that it pays
// one write unit for it, and pieces beside it of a long way back. Entries lie in the
// order of their numbers; each load removes some that are too old ([Kept]). An entry is
// written before the load is decided, so the [Mark] says which is the last: it lies in
// the item of the lease, and is written as the load ends.
package history
