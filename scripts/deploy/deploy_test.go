package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cloud is AWS as far as a deployment calls it: STS and CloudFormation, in their
// query protocol, and Lambda.
type cloud struct {
	aliases
	atOnce int    // functions that the account runs
	bare   bool   // the bootstrap was not run
	status string // of the stack in its region; empty: there isn't one
	region string

	outputs, parameters map[string]string
}

func (a *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/2015-03-31/functions/") {
		a.aliases.ServeHTTP(w, r)
		return
	}
	if strings.HasSuffix(r.URL.Path, "/account-settings") {
		_, _ = fmt.Fprintf(w, `{"AccountLimit": {"ConcurrentExecutions": %d}}`, a.atOnce)
		return
	}
	body, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(body))
	region := ""
	if scope := strings.Split(r.Header.Get("Authorization"), "/"); len(scope) > 2 {
		region = scope[2]
	}
	w.Header().Set("Content-Type", "text/xml")
	switch {
	case form.Get("Action") == "GetCallerIdentity":
		_, _ = io.WriteString(w, `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/ada</Arn><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`)
	case form.Get("StackName") == toolkit && !a.bare:
		_, _ = io.WriteString(w, `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>CDKToolkit</StackName><CreationTime>2026-03-14T15:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`)
	case a.status == "" || region != a.region || form.Get("StackName") == toolkit:
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id %s does not exist</Message></Error></ErrorResponse>`, form.Get("StackName"))
	default:
		outputs := ""
		for key, value := range a.outputs {
			outputs += `<member><OutputKey>` + key + `</OutputKey><OutputValue>` + value + `</OutputValue></member>`
		}
		outputs += `</Outputs><Parameters>`
		for key, value := range a.parameters {
			outputs += `<member><ParameterKey>` + key + `</ParameterKey><ParameterValue>` + value + `</ParameterValue></member>`
		}
		_, _ = fmt.Fprintf(w, `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>%s</StackName><CreationTime>2026-03-14T15:00:00Z</CreationTime><StackStatus>%s</StackStatus><Outputs>%s</Parameters></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
			form.Get("StackName"), a.status, outputs)
	}
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// world is a folder with an assembly of the stage prod, a CDK that records its
// calls, and AWS.
type world struct {
	dir string
	*cloud
}

// newWorld makes a world; environment is that of the stack in the manifest.
func newWorld(t *testing.T, environment string) world {
	t.Helper()
	w := world{dir: t.TempDir(), cloud: &cloud{region: "eu-central-1", atOnce: 1000}}
	server := httptest.NewServer(w.cloud)
	t.Cleanup(server.Close)
	none := filepath.Join(w.dir, "none")
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_CLOUDFORMATION": server.URL, "AWS_ENDPOINT_URL_STS": server.URL, "AWS_ENDPOINT_URL_LAMBDA": server.URL, "AWS_ENDPOINT_URL": "",
		"AWS_REGION": "eu-central-1", "AWS_DEFAULT_REGION": "", "AWS_PROFILE": "", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "hidden", "AWS_SESSION_TOKEN": "",
		"AWS_CONFIG_FILE": none, "AWS_SHARED_CREDENTIALS_FILE": none, "AWS_EC2_METADATA_DISABLED": "true", "AWS_MAX_ATTEMPTS": "1",
	} {
		t.Setenv(name, value)
	}
	w.write(t, "out/manifest.json", `{"version": "48.0.0", "artifacts": {"touchline-prod": {"type": "aws:cloudformation:stack", "environment": "`+environment+`", "properties": {"terminationProtection": true, "templateFile": "touchline-prod.template.json"}}}}`)
	w.write(t, "out/touchline-prod.template.json", `{"Metadata": {"Touchline": {"terminationProtection": true}}, "Parameters": {"Protect": {"Type": "String"}, "BootstrapVersion": {}}}`)
	// It also records whether what it deploys protects the stack.
	w.write(t, "cdk", `#!/bin/sh
dir=$(dirname "$0")
protected=$(grep -c '"terminationProtection": true' "$dir/out/manifest.json")
printf '%s' "$protected" >>"$dir/calls"
printf ' %s' "$@" >>"$dir/calls"
printf '\n' >>"$dir/calls"
case "$*" in *fails*) exit 1 ;; esac
`)
	if err := os.Chmod(filepath.Join(w.dir, "cdk"), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	return w
}

func (w world) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(w.dir, name)
	must(t, os.MkdirAll(filepath.Dir(path), 0o750))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs the command on the assembly, and returns its output and the CDK's
// calls: whether the stack is protected (1 or 0), and the arguments.
func (w world) run(words ...string) (calls []string, out string, err error) {
	var stdout strings.Builder
	line := append([]string{"-cdk", filepath.Join(w.dir, "cdk"), "-stage", "prod", "-assembly", filepath.Join(w.dir, "out")}, words...)
	err = run(context.Background(), line, &stdout, &stdout)
	raw, _ := os.ReadFile(filepath.Join(w.dir, "calls"))
	for _, call := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		if call != "" {
			calls = append(calls, strings.ReplaceAll(call, filepath.Join(w.dir, "out"), "OUT"))
		}
	}
	return calls, stdout.String(), err
}

// refuses fails unless a command says why it does nothing, and calls no CDK.
func (w world) refuses(t *testing.T, says string, words ...string) {
	t.Helper()
	if calls, _, err := w.run(words...); err == nil || !strings.Contains(err.Error(), says) || len(calls) > 0 {
		t.Errorf("%q: %q, %v", words, calls, err)
	}
}

const anywhere = "aws://unknown-account/unknown-region"

func TestAFirstDeploymentIsProtectedOnlyOnceItIsThere(t *testing.T) {
	for _, status := range []string{"", "REVIEW_IN_PROGRESS", "ROLLBACK_COMPLETE"} {
		w := newWorld(t, anywhere)
		w.status = status
		calls, out, err := w.run("deploy", "--verbose")
		must(t, err)
		want := []string{
			"0 deploy --require-approval broadening --parameters touchline-prod:Protect=false touchline-prod --app OUT --region eu-central-1 --verbose",
			"1 deploy --require-approval broadening --parameters touchline-prod:Protect=true touchline-prod --app OUT --region eu-central-1 --verbose",
		}
		if diff := cmp.Diff(want, calls); diff != "" {
			t.Errorf("%q: %s", status, diff)
		}
		if !strings.Contains(out, "deploy touchline-prod: account 123456789012, region eu-central-1 (as arn:aws:iam::123456789012:user/ada)\n") {
			t.Errorf("it does not say where it goes: %s", out)
		}
	}
}

func TestAFailedFirstDeploymentIsNotProtected(t *testing.T) {
	w := newWorld(t, anywhere)
	calls, _, err := w.run("deploy", "--fails")
	if len(calls) != 1 || err == nil || !strings.Contains(err.Error(), "CloudFormation removes whatever was made") {
		t.Errorf("%q: %v", calls, err)
	}
	w.bare = true
	if _, _, err := w.run("deploy"); err == nil || !strings.Contains(err.Error(), "make bootstrap STAGE=prod") {
		t.Error(err)
	}
	w.bare = false
	must(t, os.Remove(filepath.Join(w.dir, "calls")))
	// The next one finds the leftovers, and succeeds; the one after that
	// protects again.
	w.status = "ROLLBACK_COMPLETE"
	if calls, _, err = w.run("deploy"); err != nil || len(calls) != 2 || calls[0][0] != '0' || calls[1][0] != '1' {
		t.Errorf("%q: %v", calls, err)
	}
}

func TestAnUpdateIsRolledBackByTheAlarmsOfWhatIsDeployed(t *testing.T) {
	w := newWorld(t, anywhere)
	w.status, w.outputs = "UPDATE_COMPLETE", map[string]string{"RollbackAlarms": "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:a,arn:aws:cloudwatch:eu-central-1:123456789012:alarm:b"}
	calls, _, err := w.run("-approve", "never", "deploy")
	must(t, err)
	want := []string{"1 deploy --require-approval never --parameters touchline-prod:Protect=true" +
		" --rollback-trigger-alarm-arns arn:aws:cloudwatch:eu-central-1:123456789012:alarm:a --rollback-trigger-alarm-arns arn:aws:cloudwatch:eu-central-1:123456789012:alarm:b" +
		" --monitoring-time-minutes 10 touchline-prod --app OUT --region eu-central-1"}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Error(diff)
	}
	// The fix for an outage has to be deployed while alarms are on.
	calls, _, err = w.run("deploy", rollbackOption, "none")
	if err != nil || strings.Contains(calls[1], "alarm:a") || !strings.HasSuffix(calls[1], rollbackOption+" none") {
		t.Errorf("%q: %v", calls, err)
	}
	// A stage that may be lost is not waited for.
	w.write(t, "out/touchline-prod.template.json", `{"Metadata": {"Touchline": {"terminationProtection": false}}}`)
	if calls, _, err = w.run("deploy"); err != nil || !strings.Contains(calls[2], " --monitoring-time-minutes 0 ") {
		t.Errorf("%q: %v", calls, err)
	}
	w.outputs = nil
	if calls, _, err = w.run("deploy"); err != nil || strings.Contains(calls[3], "rollback") || strings.Contains(calls[3], "monitoring") {
		t.Errorf("%q: %v", calls, err)
	}
}

func TestTheRegionIsTheStagesElseTheCallers(t *testing.T) {
	for name, tt := range map[string]struct {
		environment, variable string
		words                 []string
		region, problem       string
	}{
		"of the stage":               {"aws://unknown-account/eu-west-1", "us-east-1", nil, "eu-west-1", ""},
		"of the stage, said again":   {"aws://unknown-account/eu-west-1", "", []string{"--region=eu-west-1"}, "eu-west-1", ""},
		"of the stage, contradicted": {"aws://unknown-account/eu-west-1", "", []string{"--region", "us-east-1"}, "", "contradicts the stage's setting region, eu-west-1"},
		"of the command line":        {anywhere, "us-east-1", []string{"--region", "eu-north-1"}, "eu-north-1", ""},
		"of the environment":         {anywhere, "us-east-1", nil, "us-east-1", ""},
		"of nobody":                  {anywhere, "", nil, "", "no region is configured"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, tt.environment)
			t.Setenv("AWS_REGION", tt.variable)
			calls, _, err := w.run(append([]string{"diff"}, tt.words...)...)
			if tt.problem != "" {
				if err == nil || !strings.Contains(err.Error(), tt.problem) || len(calls) > 0 {
					t.Errorf("%q: %v", calls, err)
				}
				return
			}
			if want := []string{"1 diff touchline-prod --app OUT --region " + tt.region}; err != nil || cmp.Diff(want, calls) != "" {
				t.Errorf("%v: %s", err, cmp.Diff(want, calls))
			}
		})
	}
}

func TestNoCredentialsSayHowAnAccountIsFound(t *testing.T) {
	w := newWorld(t, anywhere)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	w.refuses(t, "AWS_PROFILE", "deploy")
}

func TestTheBootstrapIsOfTheAccountAndRegion(t *testing.T) {
	w := newWorld(t, anywhere)
	calls, _, err := w.run("bootstrap", "--cloudformation-execution-policies", "arn:aws:iam::aws:policy/x")
	want := []string{"1 bootstrap aws://123456789012/eu-central-1 --cloudformation-execution-policies arn:aws:iam::aws:policy/x"}
	if err != nil || cmp.Diff(want, calls) != "" {
		t.Errorf("%v: %s", err, cmp.Diff(want, calls))
	}
}

// TestWithoutAnAssemblyOneIsSynthesized, with the context given, which the
// commands after it do not get.
func TestWithoutAnAssemblyOneIsSynthesized(t *testing.T) {
	w := newWorld(t, anywhere)
	t.Chdir(w.dir)
	must(t, os.Rename("out", "cdk.out"))
	w.write(t, "out/manifest.json", "{}") // which the CDK of this test looks at
	w.status = "UPDATE_COMPLETE"
	var out strings.Builder
	err := run(context.Background(), []string{"-cdk", "./cdk", "-stage", "prod", "deploy", "-c", "memory=512", "--context=logDays=7", "--force"}, &out, &out)
	must(t, err)
	raw, err := os.ReadFile("calls")
	must(t, err)
	want := "0 synth --ci touchline-prod --output cdk.out -c stage=prod -c memory=512 -c logDays=7\n" +
		"0 deploy --require-approval broadening --parameters touchline-prod:Protect=true touchline-prod --app cdk.out --region eu-central-1 --force\n"
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Error(diff)
	}
}

// TestWhatNobodyWouldNoticeIsNotDeployed, and says so without an account, too.
func TestWhatNobodyWouldNoticeIsNotDeployed(t *testing.T) {
	w := newWorld(t, anywhere)
	w.status = "UPDATE_COMPLETE"
	if calls, _, err := w.run("ready"); err != nil || len(calls) > 0 {
		t.Fatalf("%q: %v", calls, err)
	}
	w.write(t, "out/touchline-prod.template.json", `{"Metadata": {"Touchline": {"unattended": ["nobody is notified of alarms: set alarmEmail", "nobody is told what it costs"]}}}`)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	for _, command := range []string{"ready", "deploy"} {
		w.refuses(t, "touchline-prod: nobody is notified of alarms: set alarmEmail\ntouchline-prod: nobody is told", command)
	}
}

// TestReadyNamesAllThatIsMissing in settings and account, and changes nothing.
func TestReadyNamesAllThatIsMissing(t *testing.T) {
	w := newWorld(t, anywhere)
	w.table(t)
	t.Chdir(w.dir)
	must(t, os.Rename("out", "cdk.out"))
	ready := func() (string, error) {
		var out strings.Builder
		err := run(t.Context(), []string{"-cdk", "./cdk", "-stage", "prod", "ready"}, &out, &out)
		return out.String(), err
	}
	w.write(t, "out/manifest.json", "{}") // which the CDK of this test looks at
	if out, err := ready(); err != nil || !strings.Contains(out, "account 123456789012, region eu-central-1") || strings.Contains(out, "note") {
		t.Errorf("%s%v", out, err)
	}
	w.status, w.outputs = "UPDATE_COMPLETE", map[string]string{"Own": "lost,keys,key"}
	if _, err := ready(); err == nil || !strings.Contains(err.Error(), "there is no table lost") {
		t.Error(err)
	}
	w.status = ""
	w.write(t, "cdk.out/touchline-prod.template.json", `{"Metadata": {"Touchline": {"unattended": ["nobody is notified of alarms"]}}}`)
	w.bare, w.atOnce = true, 10
	out, err := ready()
	if err == nil || !strings.Contains(err.Error(), "nobody is notified") || strings.Contains(err.Error(), "bootstrap") {
		t.Error(err) // the bootstrap is the step that follows
	}
	for _, says := range []string{"next: the account is not prepared", "run make bootstrap STAGE=prod\n", "runs 10 functions at once"} {
		if !strings.Contains(out, says) {
			t.Errorf("no %q in %s", says, out)
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	if _, err := ready(); err == nil || !strings.Contains(err.Error(), "nobody is notified") || !strings.Contains(err.Error(), "no AWS account") {
		t.Error(err)
	}
	if raw, _ := os.ReadFile("calls"); strings.Count(string(raw), "\n") != strings.Count(string(raw), " synth ") {
		t.Errorf("the CDK was asked for more than a synthesis: %s", raw)
	}
}

func TestContextIsRefusedWithAFinishedAssembly(t *testing.T) {
	w := newWorld(t, anywhere)
	w.refuses(t, "memory=512 would have no effect", "deploy", "-c", "memory=512")
}

func TestAnAssemblyOfAnotherStageIsRefused(t *testing.T) {
	w := newWorld(t, anywhere)
	err := run(context.Background(), []string{"-cdk", "cdk", "-stage", "dev", "-assembly", filepath.Join(w.dir, "out"), "deploy"}, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "holds no stack touchline-dev") {
		t.Error(err)
	}
}

// TestTheManifestKeepsWhatIsNotOurs when the protection is changed.
func TestTheManifestKeepsWhatIsNotOurs(t *testing.T) {
	w := newWorld(t, anywhere)
	a, err := readAssembly(filepath.Join(w.dir, "out"), "prod")
	must(t, err)
	must(t, a.setTerminationProtection(false))
	var got map[string]any
	raw, err := os.ReadFile(filepath.Join(w.dir, "out", "manifest.json"))
	must(t, err)
	must(t, json.Unmarshal(raw, &got))
	want := map[string]any{"version": "48.0.0", "artifacts": map[string]any{"touchline-prod": map[string]any{
		"type": "aws:cloudformation:stack", "environment": anywhere,
		"properties": map[string]any{"terminationProtection": false, "templateFile": "touchline-prod.template.json"},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
