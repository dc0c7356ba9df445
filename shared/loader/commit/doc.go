// Package commit writes the edits of a load so that a load that is interrupted
// anywhere is finished by the next one.
//
// First comes the Journal: the records that the load changes, in the dataset
// format, in an archive. It is complete, and the load thereby decided, once its
// Head is written, which is the payload of the lease. Then a Writer writes the edits in phases. A load
// that finds a journal computes the edits again from its records and writes
// them before anything else; a Checkpoint says how far a long load has come.
//
// # Invariants
//
//   - Every write is idempotent.
//   - The order of writes is such that what is not done yet is found again:
//     first lists and items that nothing else is found by, then the lists by
//     which other records are found (deletions from them last), then records
//     that show something of those that change, and at last these themselves,
//     those that refer before those referred to.
//   - A checkpoint claims only what was written. One that is missing costs time
//     and nothing else: killed again and again, a load writes some hundredths
//     more than in one run.
package commit
