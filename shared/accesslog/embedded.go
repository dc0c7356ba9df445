package accesslog

import (
	"encoding/json"
	"log/slog"
	"strconv"
	"time"
)

// embedded is the key of the embedded metric format, by which CloudWatch Logs
// makes metrics of a line without a call: it says which fields of the line are
// metrics, and which are their dimensions.
const embedded = "_aws"

// Count gives the attributes by which another line than a request's counts for
// metrics, a 1 each: what the ingest function logs.
func Count(at time.Time, stage string, metrics ...Metric) []slog.Attr {
	attrs := []slog.Attr{slog.String(Dimension, stage)}
	for _, m := range metrics {
		attrs = append(attrs, slog.Int(string(m), 1))
	}
	return append(attrs, slog.Any(embedded, json.RawMessage(declaration(nil, at, metrics))))
}

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
