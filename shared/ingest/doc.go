// Package ingest loads datasets that are dropped into a bucket, by the loader
// that `touchline import` uses.
//
// # A drop
//
// A drop is a folder of the bucket: the files of a dataset, or exactly one
// archive of them (.tar.gz, .tgz or .zip, in which they may lie in one folder).
// The object _READY, put last, finishes it; it is empty or holds options:
//
//	{"replace": false, "goodPart": false, "dryRun": false, "strict": false, "abandon": false}
//
// and "allowDeletes": N, how many deletions of a replace are meant (D52).
//
// Next to it the worker writes _REPORT.json (Report) when the load has ended
// and, every few seconds until then, _PROGRESS.json (Progress). Putting _READY
// again starts another load. Drops are loaded one at a time and in no promised
// order: if one must follow another, wait for the first one's report.
//
// # Messages
//
// The bucket sends a message to a queue for every _READY, and the queue invokes
// the worker. A message is received again after a failure, while another load
// is running, and to continue a load that takes longer than one invocation. The
// worker gives such a message back with a visibility timeout of its choice.
// After stack.DropReceives times it is a dead letter, which the report says.
//
// # How far it goes
//
// A load holds the change in memory, not the table. Measured for first loads of
// synthetic federations (touchline seed; 10,000 players are a size of 1, of 3 MB
// plain, 43,500 items, 68,000 write units) into the embedded engine, on two
// busy processors:
//
//	size      memory, peak    time      its processor time
//	  10      1.5 GB          168 s     98 s, at a limit of 1.2 GB
//	  10      2.7 GB          138 s     37 s, without one
//	  30      4.3 GB          486 s     300 s, at a limit of 4 GB
//
// That is 1.5 GB for 100,000 players: the 3,008 MB of the usual function take
// 180,000 players and 45,000 matches in one drop, 10,240 MB take 650,000. What is
// larger is dropped in parts, one after the other's report. A process that runs
// out of memory is started again until the message is dead, and the report, which
// is written before the last try, says so.
//
// Time bounds nothing: at the 4,000 write units a second that a new table takes,
// 14 minutes write 3.3 million, which are 49 sizes, and what is left is written
// by the next invocation, of at most 20. Going on writes 4 percent again where a
// load is killed ten times (package loader), nothing where it pauses.
//
// # Invariants
//
//   - A faulty drop changes nothing, and is answered: by a report with file, line
//     and field of each fault. What is wrong with a drop is never tried again.
//   - A drop that was answered is not loaded again: the report names the _READY
//     that it answers. A message that comes twice, or late, does no harm.
//   - A load that was begun is finished by whichever worker comes next, which
//     writes the report of the drop that it was, before the load's journal goes.
//     Its dataset is not read again.
//   - Archives come from strangers: nothing is written but into the folder meant
//     for it, under the names of a dataset's files, and no more than the bounds
//     below, whatever the archive says of itself.
package ingest
