package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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
	memory, err := memoryOf(filepath.Join("..", "..", "cdk.json"), "dev")
	if err != nil {
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
			if r.Properties.MemorySize != memory {
				t.Errorf("%s has %d MB, %d are assumed", name, r.Properties.MemorySize, memory)
			}
		}
	}
	if serving == 0 || metrics != assumed.AlarmMetrics {
		t.Errorf("the alarms watch %d metrics of %d functions, %d are assumed", metrics, serving, assumed.AlarmMetrics)
	}
}

func TestTheMemoryIsThatOfTheStage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cdk.json")
	if err := os.WriteFile(file, []byte(`{"context": {"stages": {"dev": {}, "prod": {"memory": 1024}, "odd": {"memory": "much"}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for stage, want := range map[string]int{"dev": 256, "prod": 1024} {
		if got, err := memoryOf(file, stage); err != nil || got != want {
			t.Errorf("%s: %d MB, %v, want %d", stage, got, err, want)
		}
	}
	if _, err := memoryOf(file, "odd"); err == nil || !strings.Contains(err.Error(), `memory is "much"`) {
		t.Errorf("%v", err)
	}
	if _, err := memoryOf(file+".none", "prod"); err == nil || !strings.Contains(err.Error(), "--memory-mb") {
		t.Errorf("%v", err)
	}
}
