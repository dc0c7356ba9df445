// Package commit writes the edits of a load so that a load that is interrupted
// anywhere is finished by the next one.
//
// First comes the Journal: an archive of the records that the load changes, in
// the dataset format. It is complete, and the load thereby decided, once its
// Head is written, which is the payload of the lease. Then a Writer writes the
// edits in phases. A load that finds a journal computes the edits again from
// its records and writes them before anything else; a Checkpoint says how far a
// long load has come.
//
// # Invariants
//
//   - Every write is idempotent.
//   - The order of writes is such that a repeated load finds what is not written
//     yet: first the lists and items that nothing else is found by, then the
//     lists by which other records are found (deletions from them last), then
//     records that show something of those that change, and finally these
//     themselves, the referring ones before those referred to.
//   - A checkpoint claims only what was written. A missing one costs time and
//     nothing else: a load that is killed again and again writes a few percent
//     more than one that runs through.
package commit
