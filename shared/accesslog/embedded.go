package accesslog

import (
	"strconv"
	"time"
)

// embedded is the key of the embedded metric format, by which CloudWatch Logs
// makes metrics of a line without a call: it says which fields of the line are
// metrics, and which are their dimensions.
const embedded = "_aws"

// declaration appends the value of embedded.
func declaration(to []byte, at time.Time, metrics []Metric) []byte {
	to = strconv.AppendInt(append(to, `{"Timestamp":`...), at.UnixMilli(), 10)
	to = append(to, `,"CloudWatchMetrics":[{"Namespace":"`+Namespace+`","Dimensions":[["`+Dimension+`"]],"Metrics":[`...)
	for i, m := range metrics {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(append(append(to, `{"Name":"`...), m...), `","Unit":"Count"}`...)
	}
	return append(to, `]}]}`...)
}
