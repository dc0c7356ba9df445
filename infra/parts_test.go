package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/accesslog"
	"touchline/shared/stack"
)

// variablesAreThoseRead checks that each variable that a function reads is set, and that
// no other is.
func variablesAreThoseRead(t *testing.T, s *synthesis) {
	local := s.Rules["Local"] != nil // it cannot be deployed
	for _, function := range s.functions() {
		want := map[string]bool{}
		for _, v := range stack.RequestVariables() {
			if v.Deployed || local {
				want[v.Name] = true
			}
		}
		got := map[string]bool{}
		set, _ := s.Resources[function].at("Environment", "Variables").(map[string]any)
		for name := range set {
			got[name] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-read +set) %s", function, diff)
		}
	}
}

// outputsAreThoseOfTheirPackage checks that package stack understands all
// outputs, and that each has a description.
func outputsAreThoseOfTheirPackage(t *testing.T, s *synthesis) {
	values := map[string]string{}
	for key, o := range s.Outputs {
		values[key] = fmt.Sprint(o.Value)
		if o.Description == "" || o.Value == nil {
			t.Errorf("%s: %+v", key, o)
		}
	}
	if _, err := stack.Parse(values); err != nil {
		t.Error(err)
	}
	for key := range values {
		if slices.Contains([]string{stack.OutputRollbackAlarms, stack.OutputRelease, stack.OutputOwn, stack.OutputDomainTarget, stack.OutputAlarmTopic}, key) { // read by scripts/deploy, which older stacks do without, and by people
			continue
		}
		without := map[string]string{}
		for k, v := range values {
			if k != key {
				without[k] = v
			}
		}
		if _, err := stack.Parse(without); err == nil {
			t.Errorf("nobody reads the output %s", key)
		}
	}
	for _, function := range s.functions() {
		group := named(s.Resources[function].at("LoggingConfig", "LogGroup"), "")
		if !strings.Contains(values[stack.OutputLogGroups], "Ref:"+group) {
			t.Errorf("%s is not among %s", group, values[stack.OutputLogGroups])
		}
	}
}

// localRunnersFindTheCode by the metadata that the CDK adds for them, in a
// folder of the assembly with the bootstrap for the right processor.
func localRunnersFindTheCode(t *testing.T, s *synthesis) {
	for _, function := range s.functions() {
		r := s.Resources[function]
		asset, _ := r.Metadata["aws:asset:path"].(string)
		if r.Metadata["aws:asset:property"] != "Code" || asset == "" {
			t.Errorf("%s: %v", function, r.Metadata)
		}
		built, err := os.ReadFile(filepath.Join(s.folder, asset, "bootstrap"))
		if err != nil {
			t.Error(err)
		}
		processor := map[any]string{"arm64": "arm64", "x86_64": "amd64"}[r.at("Architectures", 0)]
		if want := string(s.serves(function)) + " for " + processor; string(built) != want {
			t.Errorf("%s is deployed with %q, not %q", function, built, want)
		}
	}
}

// everyMetricIsWatched checks that each metric has an alarm, in the dimension of the stage.
func everyMetricIsWatched(t *testing.T, s *synthesis) {
	stage := s.Resources["Ping"].at("Environment", "Variables", stack.VariableStage)
	watched := map[any]bool{}
	for _, id := range s.of("AWS::CloudWatch::Alarm") {
		r := s.Resources[id]
		if r.at("Namespace") == accesslog.Namespace {
			watched[r.at("MetricName")] = r.at("Dimensions", 0, "Name") == accesslog.Dimension && r.at("Dimensions", 0, "Value") == stage
		}
	}
	for _, m := range accesslog.Metrics() {
		if !watched[string(m)] {
			t.Errorf("nobody watches %s", m)
		}
	}
}
