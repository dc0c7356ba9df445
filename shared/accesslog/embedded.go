package accesslog

import (
	"log/slog"
	"time"
)

// embedded is the key of the embedded metric format, by which CloudWatch Logs
// makes metrics of a line without a call: it says which fields of the line are
// metrics, and which are their dimensions.
const embedded = "_aws"

// embed adds the metrics of e, each a 1, and what declares them.
func (p *page) embed(e *Entry) {
	p.metrics = e.appendMetrics(p.metrics[:0])
	p.directive = p.directive.declare(p.metrics)
	for _, m := range p.metrics {
		p.line = append(p.line, slog.Int(string(m), 1))
	}
	p.embedded = declaration(e.At, &p.directive)
	p.group(embedded, p.embedded[:])
}

// Count gives the attributes by which another line than a request's counts for
// metrics, a 1 each: what the ingest function logs.
func Count(at time.Time, stage string, metrics ...Metric) []slog.Attr {
	d := directive(nil).declare(metrics)
	attrs := []slog.Attr{slog.String(Dimension, stage)}
	for _, m := range metrics {
		attrs = append(attrs, slog.Int(string(m), 1))
	}
	declared := declaration(at, &d)
	return append(attrs, slog.Attr{Key: embedded, Value: slog.GroupValue(declared[:]...)})
}

func declaration(at time.Time, d *directive) [2]slog.Attr {
	return [...]slog.Attr{slog.Int64("Timestamp", at.UnixMilli()), slog.Any("CloudWatchMetrics", d)}
}

// directive is the declaration of metrics, JSON as it is.
type directive []byte

// declare writes the declaration over d.
func (d directive) declare(metrics []Metric) directive {
	d = append(d[:0], `[{"Namespace":"`+Namespace+`","Dimensions":[["`+Dimension+`"]],"Metrics":[`...)
	for i, m := range metrics {
		if i > 0 {
			d = append(d, ',')
		}
		d = append(append(append(d, `{"Name":"`...), m...), `","Unit":"Count"}`...)
	}
	return append(d, `]}]`...)
}

// MarshalJSON implements json.Marshaler.
func (d *directive) MarshalJSON() ([]byte, error) { return *d, nil }
