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
// "yes": true for a load that shows who was hidden or moves names (D89, D90), and
// "allowDeletes": N, how many deletions by a replace are intended (D52).
//
// The worker writes _REPORT.json (Report) to the same folder when the load has
// ended. Uploading _READY again starts another load. Drops are loaded one at a time, in no
// particular order: if one must follow another, wait for the report of the first.
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
// infra/README.md says how much fits into one drop. What needs more memory than there is, or
// more disk, is refused before anything is written, with what it needs. Time is not a limit:
// the next invocations write the rest; of a first load each first finds again what is to be
// written.
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
