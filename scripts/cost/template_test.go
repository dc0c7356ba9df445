package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// What is assumed is what a deployment of the stage dev sets.
func TestWhatIsAssumedIsInTheTemplate(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "infra", "testdata", "dev.json"))
	if err != nil {
		t.Fatal(err)
	}
	var template struct {
		Resources map[string]struct {
			Type       string
			Properties struct {
				MemorySize int
				Metrics    []struct{ MetricStat *struct{} }
			}
		}
	}
	if err := json.Unmarshal(raw, &template); err != nil {
		t.Fatal(err)
	}
	metrics, serving := 0, 0
	for name, r := range template.Resources {
		switch r.Type {
		case "AWS::CloudWatch::Alarm":
			watched := 0
			for _, m := range r.Properties.Metrics {
				if m.MetricStat != nil {
					watched++
				}
			}
			metrics += max(1, watched)
		case "AWS::Lambda::Function":
			if name == "Ingest" || name == "Bulk" {
				continue
			}
			serving++
			if r.Properties.MemorySize != assumed.MemoryMB {
				t.Errorf("%s has %d MB, %d are assumed", name, r.Properties.MemorySize, assumed.MemoryMB)
			}
		}
	}
	if serving == 0 || metrics != assumed.AlarmMetrics {
		t.Errorf("the alarms watch %d metrics of %d functions, %d are assumed", metrics, serving, assumed.AlarmMetrics)
	}
}
