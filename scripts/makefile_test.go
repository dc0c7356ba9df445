package scripts

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/stack"
)

// program skips a test where one is not on this machine, which fails in CI.
func program(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil && os.Getenv("CI") == "" {
		t.Skip(err)
	}
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// makes runs make with the programs of a folder, and with a CDK that prints its
// arguments, one a line, and fails if the test says so. What make would install
// for that counts as installed.
func makes(t *testing.T, programs map[string]string, arguments ...string) (out, errors string, code int) {
	t.Helper()
	program(t, "make")
	dir := t.TempDir()
	programs["cdk"] = `printf '%s\n' "$@"; case "$*" in *fails*) exit 1 ;; esac`
	for _, name := range []string{"installed", "cdk"} { // in the order in which make would make them
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	for name, script := range programs {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o600))
		if err := os.Chmod(path, 0o700); err != nil { //nolint:gosec // a program
			t.Fatal(err)
		}
	}
	c := exec.Command("make", append([]string{"-C", "..", "--no-print-directory", "GO=true", "CI=",
		"ENGINE=" + filepath.Join(dir, "installed"), "CDK=" + filepath.Join(dir, "cdk")}, arguments...)...)
	c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "MAKEFLAGS=")
	var stdout, stderr strings.Builder
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		code = exitCode(t, err)
	}
	return stdout.String(), stderr.String(), code
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		t.Fatal(err)
	}
	return exit.ExitCode()
}

// TestAStageIsOneWord: whatever name is given, it reaches the CDK's app as one
// word, and that says what is wrong with it.
func TestAStageIsOneWord(t *testing.T) {
	goes := map[string]string{"goes": `printf '%s\n' "$@"`}
	out, problem, code := makes(t, goes, "diff", "GO=goes", "CDK=the/cdk", "-o", "the/cdk", "STAGE=my stage; echo no", "ARGS=-c memory=512 --profile mine")
	if code != 0 || problem != "" {
		t.Fatalf("exit %d: %s", code, problem)
	}
	want := []string{"run", "./scripts/deploy", "-cdk", "the/cdk", "-stage", "my stage; echo no", "-approve", "broadening", "diff", "-c", "memory=512", "--profile", "mine"}
	if d := cmp.Diff(want, strings.Split(strings.TrimSpace(out), "\n")); d != "" {
		t.Error(d)
	}
	out, problem, code = makes(t, map[string]string{}, "synth", "STAGE=my stage; echo no", "ARGS=-c memory=512")
	if want := "cdk.out/touchline-my stage; echo no.template.json\n"; code != 0 || out != want {
		t.Errorf("exit %d: %q, %s", code, out, problem)
	}
}

// TestWhatTalksToAWSLooksBeforehand with the command that refuses to continue
// without a region.
func TestWhatTalksToAWSLooksBeforehand(t *testing.T) {
	for _, target := range []string{"diff", "bootstrap", "deploy", "destroy"} {
		goes := map[string]string{"goes": `printf '%s\n' "$@"`}
		out, problem, code := makes(t, goes, target, "GO=goes", "ASSEMBLY=cdk.out", "CI=true")
		if code != 0 || !strings.HasSuffix(out, "-stage\ndev\n-assembly\ncdk.out\n-approve\nnever\n"+target+"\n") {
			t.Errorf("make %s: exit %d: %q, %s", target, code, out, problem)
		}
	}
}

// TestNoTemplatesAreNoQuestion: without a file cfn-lint would wait for one on
// standard input.
func TestNoTemplatesAreNoQuestion(t *testing.T) {
	linter := map[string]string{"cfn-lint": `printf '%s\n' "$@"`}
	if out, problem, code := makes(t, linter, "lint-templates", "TEMPLATES="); code == 0 || out != "" || !strings.Contains(problem, "make synth") {
		t.Errorf("exit %d: %q, %q", code, out, problem)
	}
	out, problem, code := makes(t, linter, "lint-templates", "TEMPLATES=one.json two.json")
	if want := "--non-zero-exit-code\nerror\none.json\ntwo.json\n"; code != 0 || !strings.HasSuffix(out, want) {
		t.Errorf("exit %d: %q, %q", code, out, problem)
	}
}

// TestFunctionsOfSamGetWhatTheyRead: sam would leave out a variable that the function
// does not have, and the function would ask AWS.
func TestFunctionsOfSamGetWhatTheyRead(t *testing.T) {
	text, err := os.ReadFile("sam.json")
	must(t, err)
	var file struct{ Parameters map[string]string }
	must(t, json.Unmarshal(text, &file))
	tables := stack.LocalTables(func(string) string { return "" })
	want := map[string]string{
		stack.VariableSportsTable: tables.Sports, stack.VariableNoncesTable: tables.Nonces, stack.VariableQuotasTable: tables.Quotas,
		stack.VariableKeysTable: tables.Keys, stack.VariableKMSKey: "", stack.VariableMasterKey: "@",
		stack.VariableDynamoDBEndpoint: "http://touchline-dynamodb:8000",
	}
	if diff := cmp.Diff(want, file.Parameters); diff != "" {
		t.Error(diff)
	}
}

// TestSamRunsAFunctionByItsName, with the event and what it needs of this machine.
func TestSamRunsAFunctionByItsName(t *testing.T) {
	programs := map[string]string{"sam": `printf '%s\n' "$@"`, "docker": "true"}
	out, problem, code := makes(t, programs, "sam-invoke", "-n", "FUNCTION=teams", "SAM_ARGS=--debug")
	want := "sam local invoke touchline-dev-teams --event \"events/teams/players.json\" --template build/sam/touchline-dev.template.json --env-vars build/sam/variables.json --docker-network touchline --debug\n"
	if code != 0 || !strings.HasSuffix(out, want) {
		t.Errorf("exit %d: %s%s", code, out, problem)
	}
}
