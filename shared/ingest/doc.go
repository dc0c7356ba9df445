// Package ingest loads datasets that are dropped into a bucket, with the loader
// that `touchline import` uses.
//
// # A drop
//
// A drop is a folder of the bucket with the files of a dataset, each as it is or with .gz.
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
// the worker. A message comes again, when its visibility timeout ends, after a failure, and
// to continue a load that takes longer than one invocation. While another load is running
// the worker waits.
//
// A message that was received stack.DropReceives times, which takes eight hours, is a dead
// letter: its load takes longer, the store of data or the bucket fails, or the process is
// killed each time.
//
// # Limits
//
// infra/README.md says how much fits into one drop. What needs more memory than there is, or
// more disk for what the load sorts, is refused before anything is written, with what it
// needs. Time is no limit below eight hours: the next invocations write the rest; of a first load each first
// finds again what is to be written.
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
package ingest
