package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"

	"touchline/shared/stack"
)

// synthesis is the output of one run of the app, and what cdk-nag finds in it.
type synthesis struct {
	Resources map[string]resource
	Outputs   map[string]struct {
		Description string
		Value       any
	}
	Rules map[string]any

	stage    string
	folder   string // with the assembly
	manifest manifest
	findings []finding
}

type resource struct {
	Type       string
	Properties map[string]any
	Metadata   map[string]any
}

// manifest is that of the assembly, for what is not in the template.
type manifest struct {
	Artifacts map[string]struct {
		Environment string
		Properties  struct{ TerminationProtection bool }
	}
}

// finding is a line of cdk-nag's report.
type finding struct {
	RuleID     string `json:"ruleId"`
	ResourceID string `json:"resourceId"` // a construct's path: stack/resource
	Compliance string `json:"compliance"`
	RuleInfo   string `json:"ruleInfo"`
}

// of returns the ids of the resources of a type, in order.
func (s *synthesis) of(kind string) []string {
	return slices.Sorted(func(yield func(string) bool) {
		for id, r := range s.Resources {
			if r.Type == kind && !yield(id) {
				return
			}
		}
	})
}

// functions are those of the ids that have a folder of their own: all but the watch.
func (s *synthesis) functions() []string {
	return slices.DeleteFunc(s.of("AWS::Lambda::Function"), func(id string) bool { return id == "Watch" })
}

// at follows a path through the properties of a resource; nil if there is
// nothing.
func (r resource) at(path ...any) any { return at(r.Properties, path...) }

func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			l, _ := v.([]any)
			if step >= len(l) {
				return nil
			}
			v = l[step]
		}
	}
	return v
}

// named is the resource that an intrinsic function refers to: Ref, or GetAtt
// with attribute.
func named(v any, attribute string) string {
	id, _ := at(v, "Ref").(string)
	if attribute != "" {
		id = ""
		if at(v, "Fn::GetAtt", 1) == attribute {
			id, _ = at(v, "Fn::GetAtt", 0).(string)
		}
	}
	return id
}

// contextOf is the context from the cdk command line: that of cdk.json, what the
// command line adds itself, and what -c sets.
func contextOf(t *testing.T, given map[string]any) map[string]any {
	t.Helper()
	var file struct {
		AssetMetadata bool
		Context       map[string]any
	}
	decode(t, filepath.Join("..", "cdk.json"), &file)
	file.Context["aws:cdk:enable-asset-metadata"] = file.AssetMetadata
	maps.Copy(file.Context, given)
	return file.Context
}

func decode(t *testing.T, file string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// bootstraps are folders as scripts/functions makes them, but without compiling:
// each binary contains its name.
func bootstraps(t *testing.T) code {
	t.Helper()
	dir := t.TempDir()
	return func(function, architecture string) string {
		folder := filepath.Join(dir, function, architecture)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "bootstrap"), []byte(function+" for "+architecture), 0o600); err != nil {
			t.Fatal(err)
		}
		return folder
	}
}

// TestMain: the CDK runs on Node.js. Without it nothing here is tested, which fails in CI.
func TestMain(m *testing.M) {
	if _, err := exec.LookPath("node"); err != nil && os.Getenv("CI") == "" {
		fmt.Println("skipped: there is no Node.js on PATH, on which the CDK runs")
		return
	}
	_ = os.Setenv("CDK_VALIDATION", "false") // as make does
	os.Exit(m.Run())
}

// synthesized runs the app for a context and has cdk-nag check the result.
func synthesized(t *testing.T, given map[string]any) *synthesis {
	t.Helper()
	folder, c := t.TempDir(), contextOf(t, given)
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: &folder, Context: &c})
	s, err := settingsOf(app)
	if err != nil {
		t.Fatal(err)
	}
	newStage(app, s, bootstraps(t))
	awscdk.Aspects_Of(app).Add(cdknag.NewAwsSolutionsChecks(&cdknag.NagPackProps{
		ReportFormats: &[]cdknag.NagReportFormat{cdknag.NagReportFormat_JSON},
	}), nil)
	app.Synth(nil)

	made := &synthesis{stage: s.Stage, folder: folder}
	decode(t, filepath.Join(folder, stack.Name(s.Stage)+".template.json"), made)
	decode(t, filepath.Join(folder, "manifest.json"), &made.manifest)
	var report struct{ Lines []finding }
	decode(t, filepath.Join(folder, "AwsSolutions--"+stack.Name(s.Stage)+"-NagReport.json"), &report) // of an app without a name
	made.findings = report.Lines
	return made
}

// stages are contexts that between them have every setting that adds or changes something.
func stages() map[string]map[string]any {
	const photo, domain = "https://img.example/nobody.png", "api.club.example"
	const certificate = "arn:aws:acm:eu-central-1:123456789012:certificate/0f0e0d0c-0001-0002-0003-000000000004"
	return map[string]map[string]any{
		"dev":  nil,
		"prod": {"stage": "prod", "defaultPhoto": photo, "alarmEmail": "operator@club.example", "monthlyBudget": "20"},
		"laptop": {
			"stage": "a-stage-named-at-leng", "memory": "512", "throttleRate": "11", "logDays": "1", "defaultPhoto": photo,
			"alarmEmail": "operator@club.example", "monthlyBudget": "50",
			"domain": domain, "certificateArn": certificate, "hostedZoneId": "Z0123456789ABC",
			"disposable": "true", "local": "true", "region": "eu-central-1",
		},
		// Named parts are used in the place of the stack's own, which stay.
		"restored": {
			"sportsTable": "sports-restored", "keysTable": "keys-restored", "permissionsBoundary": "arn:aws:iam::123456789012:policy/club/bounds",
			"secretsKey": "arn:aws:kms:eu-central-1:123456789012:key/0f0e0d0c-0001-0002-0003-000000000004",
		},
		// The record of the domain is made by hand.
		"watched": {"watchKey": "/touchline/dev/watch", "domain": domain, "certificateArn": certificate},
	}
}

// TestStages runs the app once for each stage and checks everything about its
// templates: a run takes seconds. The golden files hold what is deployed; the others hold
// that to what the code reads and calls, and to the documents.
func TestStages(t *testing.T) {
	contexts := stages()
	for _, name := range slices.Sorted(maps.Keys(contexts)) { // dev, with which the others are compared, is the first
		s := synthesized(t, contexts[name])
		for _, tt := range []struct {
			name string
			hold func(*testing.T, *synthesis)
		}{
			{"every operation reaches its group's function", everyOperationReachesItsFunction},
			{"the sample events come by the gateway's routes", eventsComeByTheRoutes},
			{"every function is deployed", everyFunctionIsDeployed},
			{"rights are on what they are for", rightsAreNarrow},
			{"secrets are opened by their context", secretsAreOpenedByTheirContext},
			{"every metric is watched", everyMetricIsWatched},
			{"the runbook is about the alarms", theRunbookIsAboutTheAlarms},
			{"queries name fields that lines have", queriesNameFieldsThatLinesHave},
			{"outputs are those of package stack", outputsAreThoseOfTheirPackage},
			{"cdk-nag finds nothing", nagFindsNothing},
			{"what the local runner needs is there", localRunnersFindTheCode},
			{"variables are those that functions read", variablesAreThoseRead},
		} {
			t.Run(name+"/"+tt.name, func(t *testing.T) { tt.hold(t, s) })
		}
		t.Run(name+"/is as released", func(t *testing.T) { isAsReleased(t, name, s) })
	}
}
