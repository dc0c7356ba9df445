package cost

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"touchline/shared/demo"
	"touchline/shared/engine/enginetest"
	"touchline/shared/stack"
	"touchline/shared/store/dynamo"
	"touchline/shared/testdata/seed"
)

func TestUnitsAreThoseThatTheEngineReports(t *testing.T) {
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := demo.Write(folder, time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	m, err := measure(t.Context(), client, folder, 60)
	if err != nil {
		t.Fatal(err)
	}
	if m.average.writes != 2 {
		t.Errorf("%f write units a request: one for the nonce and one for the quota make 2", m.average.writes)
	}
	if m.average.reads <= 0.25 || m.average.reads > 20 || m.tableBytes < 10_000 || m.loadUnits < 100 {
		t.Errorf("%+v", m)
	}
	if m.average.secrets <= 0 || m.average.secrets >= 1 {
		t.Errorf("%f calls of KMS a request, where keys are cached for a minute", m.average.secrets)
	}
}

// The whole bill, which -v shows. It takes a minute.
func TestTheReadmeSaysWhatRequestsCost(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all runs it")
	}
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := measure(t.Context(), client, seed.Write(t, seed.Options{Size: 1, Details: 50}), 1000)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + bill(m))
	readme, err := os.ReadFile(filepath.Join("..", "..", "infra", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`a million requests read ([0-9.]+) million units, write ([0-9.]+) million and cost ([0-9.]+) USD in us-east-1, ([0-9.]+) in eu-central-1.*a stage without requests costs ([0-9.]+) USD a month`).FindSubmatch(readme)
	if said == nil {
		t.Fatal("infra/README.md does not say what requests cost")
	}
	for i, got := range []float64{m.average.reads, m.average.writes, sum(ofRequests(m.average, million)), sum(inFrankfurt(ofRequests(m.average, million))), sum(idle(m.tableBytes))} {
		if want, err := strconv.ParseFloat(string(said[i+1]), 64); err != nil || math.Abs(got-want) > 0.02*want {
			t.Errorf("infra/README.md says %s, %.2f were measured", said[i+1], got)
		}
	}
}

// What is assumed is what a deployment sets: the alarms as in the template of dev, the
// memory of prod by cdk.json.
func TestWhatIsAssumedIsInTheTemplate(t *testing.T) {
	read := func(into any, name ...string) {
		raw, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, name...)...))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, into); err != nil {
			t.Fatal(err)
		}
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
	read(&template, "infra", "testdata", "dev.json")
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
			if name == "Ingest" {
				continue
			}
			serving++
			if r.Properties.MemorySize != stack.DefaultMemory {
				t.Errorf("%s has %d MB", name, r.Properties.MemorySize)
			}
		}
	}
	if serving == 0 || metrics != alarmMetrics {
		t.Errorf("the alarms watch %d metrics of %d functions, %d are assumed", metrics, serving, alarmMetrics)
	}
	var app struct {
		Context struct {
			Stages map[string]struct{ Memory int }
		}
	}
	read(&app, "cdk.json")
	if got := app.Context.Stages["prod"].Memory; got != prodMemory {
		t.Errorf("prod has %d MB, %d are assumed", got, prodMemory)
	}
}
