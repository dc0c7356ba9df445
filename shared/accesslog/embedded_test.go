package accesslog_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/accesslog"
)

// embeddedFormat is what CloudWatch reads of a line (embedded metric format
// specification, _aws).
type embeddedFormat struct {
	AWS *struct {
		Timestamp         int64
		CloudWatchMetrics []struct {
			Namespace  string
			Dimensions [][]string
			Metrics    []struct{ Name, Unit string }
		}
	} `json:"_aws"`
}

// counted are the metrics that a line makes, as CloudWatch would count them: it
// holds the line to the format's rules.
func counted(t *testing.T, line []byte, at time.Time) map[accesslog.Metric]float64 {
	t.Helper()
	var format embeddedFormat
	var fields map[string]any
	if err := json.Unmarshal(line, &format); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(line, &fields); err != nil {
		t.Fatal(err)
	}
	if format.AWS == nil || len(format.AWS.CloudWatchMetrics) != 1 {
		t.Fatalf("no metrics: %s", line)
	}
	if format.AWS.Timestamp != at.UnixMilli() {
		t.Errorf("timestamp %d", format.AWS.Timestamp)
	}
	directive := format.AWS.CloudWatchMetrics[0]
	if diff := cmp.Diff([][]string{{"stage"}}, directive.Dimensions); diff != "" || directive.Namespace != "Touchline" {
		t.Errorf("namespace %q, %s", directive.Namespace, diff)
	}
	for _, set := range directive.Dimensions {
		for _, name := range set {
			if value, ok := fields[name].(string); !ok || value == "" {
				t.Errorf("the dimension %s is no text at the root: %v", name, fields[name])
			}
		}
	}
	got := map[accesslog.Metric]float64{}
	for _, m := range directive.Metrics {
		value, ok := fields[m.Name].(float64)
		if !ok || m.Unit != "Count" {
			t.Errorf("the metric %s (%s) is no number at the root: %v", m.Name, m.Unit, fields[m.Name])
		}
		got[accesslog.Metric(m.Name)] = value
	}
	return got
}

func TestALineCountsForItsMetrics(t *testing.T) {
	type metrics = map[accesslog.Metric]float64
	storeFault := func(store string) accesslog.Line {
		return accesslog.Line{Status: 503, Why: accesslog.StoreFailed, Details: accesslog.Why{Store: store}}
	}
	tests := []struct {
		name string
		line accesslog.Line
		want metrics
	}{
		{"an answer", accesslog.Line{Status: 200}, metrics{"Requests": 1}},
		{"not found", accesslog.Line{Status: 404}, metrics{"Requests": 1}},
		{"unauthorized", accesslog.Line{Status: 401}, metrics{"Requests": 1, "Unauthorized": 1}},
		{"limited", accesslog.Line{Status: 429}, metrics{"Requests": 1, "RateLimited": 1}},
		{"no keys", storeFault("keys"), metrics{"Requests": 1, "KeyStoreFaults": 1}},
		{"no secrets", storeFault("secrets"), metrics{"Requests": 1, "KeyStoreFaults": 1}},
		{"no nonces", storeFault("nonces"), metrics{"Requests": 1, "NonceStoreFaults": 1}},
		{"no quotas", storeFault("quotas"), metrics{"Requests": 1, "QuotaStoreFaults": 1}},
		{"no data", storeFault("sports"), metrics{"Requests": 1, "DataFaults": 1}},
		{"a panic", accesslog.Line{Status: 500, Why: accesslog.Panicked}, metrics{"Requests": 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log, text := newLog()
			tt.line.Time = time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC)
			log.Write(&tt.line, nil)
			if diff := cmp.Diff(tt.want, counted(t, text.Bytes(), tt.line.Time)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWithoutMetricsALineDeclaresNone(t *testing.T) {
	log, text := newLog()
	log.Metrics = false
	log.Write(full())
	for _, name := range append(accesslog.Metrics(), "_aws") {
		if bytes.Contains(text.Bytes(), []byte(`"`+name+`"`)) {
			t.Errorf("%s is in %s", name, text)
		}
	}
}
