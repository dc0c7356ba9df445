package stack

// The objects next to a dataset in its folder of the ingest bucket.
const (
	DropReady    = "_READY"         // written last, by who drops the dataset
	DropReport   = "_REPORT.json"   // the result
	DropProgress = "_PROGRESS.json" // while the load runs
)

// DropReceives is how often the queue delivers the message about a drop before
// it moves it to the dead letters. A load that an invocation did not finish goes
// on with the next delivery.
const DropReceives = 20
