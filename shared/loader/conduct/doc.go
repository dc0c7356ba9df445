// Package conduct loads a dataset into an empty table in steps that run in many
// processes, as AWS Step Functions conducts them (package ingest says which loads,
// and infra what the machine is):
//
//	begin    the head of the journal says that the load is conducted      Begin
//	plan     the dataset is read, checked and divided into parts          Plan
//	project  of each part, what is to be written is sorted into runs      Project
//	decide   all parts fit: the load is numbered, the table not empty     Decide
//	merge    each bucket's runs are merged, and written                   Merge
//	finish   the journal is removed                                       Finish
//
// It is the code of package loader, in the same two phases: parts are computed as
// those of a first load are, and their writes sorted by package spool, but into runs
// in a folder that all steps share; a merge puts the runs of its bucket into another spool,
// which package commit writes.
//
// # Buckets
//
// A part divides its writes into buckets by the name of the list, or of the item's
// partition. So a bucket has all of a list, and a record with its parts. In a
// bucket the order of writes is that of any load. The order between buckets does not
// matter: a merge reads nothing of the table that tells it what to write. Until the load
// is finished readers see some of it, as of every first load.
//
// # Invariants
//
//   - Until Decide nothing is in the table but the head. What Decide refuses, because
//     the table cannot hold it, has changed nothing.
//   - Every step may run twice, after one another or at once. Plan and Project write
//     objects that are the same each time, and then the one that says they are done.
//     Decide and Finish hold the lease of the table. Merge holds a lease of its bucket,
//     with the same guard, so that a task that was taken for dead writes nothing once
//     another has begun.
//   - A merge that finds that its bucket was begun before, or could have been, goes on
//     from its checkpoint, and takes the lists behind it for half written
//     (commit.Writer.Resumed).
//   - A load that is given up has no head. Before the head goes it says Stopped, and no
//     bucket is leased; a merge takes its lease, and then reads the head.
//   - An execution of a load that is not the last one does nothing more.
//
// # Limits
//
// Plan reads the dataset as one process, and Project holds the largest part and what is
// around it: at the least a competition with its stages and teams, and what these play
// elsewhere (package division). Plan refuses a part that is larger than its caller allows
// (Load.TooLarge): what fits in memory is projected in the time of a step, since both grow
// with the records. A merge holds the compressed runs of a bucket, and sorts
// what is in them as a load does. So memory is what it is in one process, or less; what is
// divided is time, and the disk.
package conduct
