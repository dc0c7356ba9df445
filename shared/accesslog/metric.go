package accesslog

// Namespace is the CloudWatch namespace of the metrics.
const Namespace = "Touchline"

// Dimension is the metrics' one dimension; its value is the name of the stage.
// Ten metrics of one dimension are what CloudWatch keeps free of charge: each
// value of another dimension would be a metric of its own, at 0.30 USD a month.
const Dimension = "stage"

// Metric is the name of a metric, a count. Those but Requests are there only
// where they have happened, so that an alarm takes missing data for none.
type Metric string

// The metrics.
const (
	Requests         Metric = "Requests"         // answered, each of them
	Unauthorized     Metric = "Unauthorized"     // answered with a 401
	RateLimited      Metric = "RateLimited"      // answered with a 429, for a rate or the quota
	KeyStoreFaults   Metric = "KeyStoreFaults"   // a key's record or its secret could not be had (503)
	NonceStoreFaults Metric = "NonceStoreFaults" // a nonce could not be written (503)
	QuotaStoreFaults Metric = "QuotaStoreFaults" // a quota could not be counted (503)
	DataFaults       Metric = "DataFaults"       // the sports data could not be read (500), or is of another layout (503)
)

// Metrics lists the metrics.
func Metrics() []Metric {
	return []Metric{
		Requests, Unauthorized, RateLimited,
		KeyStoreFaults, NonceStoreFaults, QuotaStoreFaults, DataFaults,
	}
}
