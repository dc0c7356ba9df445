// Package ingest loads datasets that are dropped into a bucket, with the loader
// that `touchline import` uses.
//
// # A drop
//
// A drop is a folder of the bucket. It has the files of a dataset, or a single archive
// of them: .tar.gz, .tgz or .zip. In the archive they may be in one folder.
// The object _READY, uploaded last, completes it; it is empty or has options:
//
//	{"replace": false, "goodPart": false, "dryRun": false, "strict": false, "abandon": false}
//
// and "allowDeletes": N, how many deletions by a replace are intended (D52).
//
// The worker writes _REPORT.json (Report) to the same folder when the load has
// ended, and _PROGRESS.json (Progress) every few seconds until then. Uploading
// _READY again starts another load. Drops are loaded one at a time, in no
// particular order: if one must follow another, wait for the report of the
// first.
//
// # Messages
//
// The bucket sends a message to a queue for every _READY, and the queue invokes
// the worker. A message is received again after a failure, while another load is
// running, and to continue a load that takes longer than one invocation; the
// worker chooses the visibility timeout after which it comes back.
//
// A drop is given up when its message was received [Receives] times and is not loaded:
// the report says so and the message is deleted; put _READY again to start over. SQS
// counts the receives, so that one whose process was killed counts, too. That many
// write a dataset several times as large as a drop may be, and outlast a failure, or
// another load, of six hours.
//
// The redrive policy of the queue (stack.DropReceives) allows as many receives as
// SQS can. It is for messages that the worker can neither load nor report, which
// are dead letters after some days.
//
// # Limits
//
// A load keeps in memory what changes, and of a first load a part of it; what it
// writes is sorted on the disk. These are first loads of synthetic federations
// (touchline seed; size 1 is 10,000 players and 2,500 matches, 2 MB uncompressed,
// 31,300 items) into the embedded engine:
//
//	size      memory, peak    disk         its processor time
//	  10      0.5 GB          0.4 GB        27 s
//	 200      1.7 GB          8 GB or more 560 s
//
// So a function of the default size, with 3,008 MB of memory and 10,240 MB of disk,
// loads 2,000,000 players and 500,000 matches in one drop. A load into a table that holds
// something keeps what it changes and what shows something of that: some 84 MB for data
// of size 1 of which nearly all changes (package division), so 250,000 players in one
// drop of the default size. What needs more memory than there is, or more disk, is
// refused before anything is written, with what it needs.
//
// Time is not a limit. A new table takes 4,000 write units a second, so 14 minutes write
// 3.3 million units, that is size 49. The next invocations write the rest; each first
// finds again what is to be written.
// Resuming repeats 4 percent of the writes if a load is killed ten times (package
// loader).
//
// # Invariants
//
//   - A faulty drop changes nothing, and is reported with file, line and field of each
//     fault. It is not tried again.
//   - A drop that has its report is not loaded again: the report names the _READY that
//     it belongs to. A message that comes twice, or late, does no harm.
//   - A load that was begun is finished by whichever worker comes next, without
//     reading the dataset again. That worker writes the report of the drop before the
//     load's journal is removed.
//   - Archives are not trusted: files are only written to the folder meant for them,
//     under the names of a dataset's files, and within Limits, whatever the archive
//     declares.
package ingest
