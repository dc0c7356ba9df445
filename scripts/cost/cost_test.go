package cost

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/engine/enginetest"
	"touchline/shared/seed"
	"touchline/shared/stack"
	"touchline/shared/store/dynamo"
)

func near(t *testing.T, name string, want, got float64) {
	t.Helper()
	if math.Abs(want-got) > 0.005 {
		t.Errorf("%s: %f, want %f", name, got, want)
	}
}

func TestTheBillIsQuantityTimesPrice(t *testing.T) {
	u := usage{reads: 2, writes: 2, secrets: 0.1, logBytes: 1000, answerBytes: 850}
	got := map[string]float64{}
	for _, lines := range [][]line{ofRequests(u, million), idle(gigabyte)} {
		for _, l := range lines {
			got[l.name] = l.amount()
			if l.usd <= 0 || l.per <= 0 || l.unit == "" {
				t.Errorf("%+v has no price", l)
			}
		}
	}
	for name, want := range map[string]float64{
		"HTTP API": 1, "Lambda requests": 0.2, "Lambda duration": 0.1, "DynamoDB reads": 0.25, "DynamoDB writes": 1.25, "KMS": 0.3,
		"log of ours": 0.47, "log of the gateway": 0.16, "log kept for a month": 0.04, "data out": 0.08,
		"KMS key": 1, "data in DynamoDB": 0.25, "point-in-time recovery": 0.2, "looks into the queue": 0.26,
	} {
		near(t, name, want, got[name])
	}
}

func TestTheMixIsOfTheRouteTable(t *testing.T) {
	routes, all := groups.Table(endpoints.Deps{}), 0
	for _, k := range mix {
		all += k.weight
		path, query, _ := strings.Cut(k.target, "?")
		operation, _, ok := routes.Match(path)
		if !ok {
			t.Errorf("no route for %s", path)
			continue
		}
		if operation.Group != groupOf(path) {
			t.Errorf("%s is served by %s, not %s", path, operation.Group, groupOf(path))
		}
		if _, err := operation.Decode(strings.ReplaceAll(query, "COMPETITION", strings.Repeat("0", 24))); err != nil {
			t.Errorf("%s: %v", k.target, err)
		}
	}
	if all != 100 {
		t.Errorf("the weights make %d of a hundred", all)
	}
}

func TestUnitsAreThoseThatTheEngineReports(t *testing.T) {
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := measure(t.Context(), client, seed.Options{Demo: true}, 60)
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
	m, err := measure(t.Context(), client, seed.Options{Size: 1, Details: 50}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + bill(m))
	readme, err := os.ReadFile(filepath.Join("..", "..", "infra", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`a million requests read ([0-9.]+) million units, write ([0-9.]+) million and cost ([0-9.]+) USD.*a stage without requests costs ([0-9.]+) USD a month`).FindSubmatch(readme)
	if said == nil {
		t.Fatal("infra/README.md does not say what requests cost")
	}
	for i, got := range []float64{m.average.reads, m.average.writes, sum(ofRequests(m.average, million)), sum(idle(m.tableBytes))} {
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
