package stack

// The objects next to a dataset in its folder of the ingest bucket.
const (
	DropReady    = "_READY"         // written last, by who drops the dataset
	DropReport   = "_REPORT.json"   // the result
	DropProgress = "_PROGRESS.json" // while the load runs
)

// DropReceives is how often the queue delivers a message before it is a dead
// letter: as often as SQS can. Package ingest gives a drop up long before.
const DropReceives = 1000
