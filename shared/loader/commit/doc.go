// Package commit makes the writes of a load so that a load that is interrupted
// anywhere is finished by the next one.
//
// First comes the journal, which holds the writes, or the records of a first load. It is
// complete, and the load decided, once its Head is written, which is the payload of the
// lease. Then a Writer makes the writes. A load that takes the lease (Take) finds the head
// of a load that was interrupted, and makes the writes of that journal before anything
// else; a Checkpoint says how far a long load has come.
//
// # Invariants
//
//   - Every write may be made twice: an item is written as a whole, and an edit of a
//     list puts an entry as it is to be, or says that there is to be none.
//   - Nothing of a load is in the table before its journal is complete.
//   - A checkpoint claims only what was written. A missing one costs time and
//     nothing else: a load that is killed again and again writes a few percent
//     more than one that runs through.
package commit
