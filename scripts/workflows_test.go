// Package scripts has no code. Its tests check that make does what its targets
// say, and that the workflows of GitHub Actions keep the rules for deploying.
package scripts

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rhysd/actionlint"
)

const folder = "../.github/workflows/"

// texts returns the workflows by file name.
func texts(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(folder + "*")
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	all := map[string]string{}
	for _, file := range files {
		raw, err := os.ReadFile(filepath.Clean(file))
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = string(raw)
	}
	return all
}

// jobs returns all jobs by file and id.
func jobs(t *testing.T) map[string]*actionlint.Job {
	t.Helper()
	all := map[string]*actionlint.Job{}
	for file, text := range texts(t) {
		w, faults := actionlint.Parse([]byte(text))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		if w.Permissions == nil || w.Permissions.All != nil || len(w.Permissions.Scopes) > 0 {
			t.Errorf("%s: a workflow has no permissions of its own; its jobs name theirs", file)
		}
		for id, j := range w.Jobs {
			all[file+" "+id] = j
		}
	}
	return all
}

// scripts are what the steps of a job run.
func scripts(j *actionlint.Job) (lines []string) {
	for _, s := range j.Steps {
		if run, ok := s.Exec.(*actionlint.ExecRun); ok {
			lines = append(lines, run.Run.Value)
		}
	}
	return lines
}

// actions are what the steps of a job use, without their versions.
func actions(j *actionlint.Job) (names []string) {
	for _, s := range j.Steps {
		if use, ok := s.Exec.(*actionlint.ExecAction); ok {
			name, _, _ := strings.Cut(use.Uses.Value, "@")
			names = append(names, name)
		}
	}
	return names
}

const assume = "aws-actions/configure-aws-credentials"

func TestWorkflowsAreSound(t *testing.T) {
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{WorkingDir: ".."})
	if err != nil {
		t.Fatal(err)
	}
	for file := range texts(t) {
		faults, err := linter.LintFile(folder+file, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults {
			t.Error(fault)
		}
	}
}

// TestActionsArePinned to a commit, since a tag can be moved to another.
func TestActionsArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`^(\./\.github/workflows/[a-z]+\.yml|[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$`)
	uses := regexp.MustCompile(`(?m)^[ -]*uses: *(.*)$`)
	versions := map[string]string{}
	for file, text := range texts(t) {
		found := uses.FindAllStringSubmatch(text, -1)
		if len(found) == 0 || len(found) != strings.Count(text, "uses:") {
			t.Errorf("%s: %d lines with uses", file, len(found))
		}
		for _, use := range found {
			if !pinned.MatchString(use[1]) {
				t.Errorf("%s: %q is not pinned to a commit with its version next to it", file, use[1])
			}
			name, version, _ := strings.Cut(use[1], "@")
			if other := versions[name]; other != "" && other != version {
				t.Errorf("%s is used as %s and as %s", name, version, other)
			}
			versions[name] = version
		}
	}
}

// TestNoExpressionIsInAScript: it could run what a stranger has named a branch.
func TestNoExpressionIsInAScript(t *testing.T) {
	for name, j := range jobs(t) {
		for _, script := range scripts(j) {
			if strings.Contains(script, "${{") {
				t.Errorf("%s: hand it on in env: %s", name, script)
			}
		}
	}
	for file, text := range texts(t) {
		if strings.Contains(text, "pull_request_target") || strings.Contains(text, "secrets.") {
			t.Errorf("%s runs a stranger's code with rights, or uses a stored secret", file)
		}
	}
}

func TestJobsHaveNoMorePermissionsThanTheyUse(t *testing.T) {
	for name, j := range jobs(t) {
		want := map[string]string{}
		used := actions(j)
		if slices.Contains(used, "actions/checkout") || j.WorkflowCall != nil {
			want["contents"] = "read"
		}
		if slices.Contains(used, assume) || j.WorkflowCall != nil {
			want["id-token"] = "write"
		}
		if strings.Contains(strings.Join(scripts(j), "\n"), "gh release create") {
			want["contents"] = "write"
		}
		got := map[string]string{}
		if j.Permissions != nil {
			for scope, p := range j.Permissions.Scopes {
				got[scope] = p.Value.Value
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if j.WorkflowCall == nil && (j.TimeoutMinutes == nil || j.TimeoutMinutes.Value < 1) {
			t.Errorf("%s has no timeout", name)
		}
		for _, s := range j.Steps {
			if use, ok := s.Exec.(*actionlint.ExecAction); ok && strings.HasPrefix(use.Uses.Value, "actions/checkout@") {
				if keep := use.Inputs["persist-credentials"]; keep == nil || keep.Value.Value != "false" {
					t.Errorf("%s leaves its token in the checkout", name)
				}
			}
		}
	}
}

func TestADeploymentIsNeverCutShortAndNeedsTheTests(t *testing.T) {
	deployed := 0
	for name, j := range jobs(t) {
		if !strings.Contains(strings.Join(scripts(j), "\n"), "make deploy") {
			continue
		}
		deployed++
		if j.Concurrency == nil || j.Concurrency.CancelInProgress == nil || j.Concurrency.CancelInProgress.Value {
			t.Errorf("%s may be cancelled while it runs", name)
		}
		if j.Environment == nil || len(j.Needs) != 1 || j.Needs[0].Value != "test" {
			t.Errorf("%s is in no environment, or does not wait for the tests", name)
		}
	}
	if deployed != 1 {
		t.Errorf("%d jobs deploy", deployed)
	}
}

// TestAReleaseIsOfMainAndNeedsTheTests, and only the step that makes it has the
// right to.
func TestAReleaseIsOfMainAndNeedsTheTests(t *testing.T) {
	released := 0
	for name, j := range jobs(t) {
		script := strings.Join(scripts(j), "\n")
		if !strings.Contains(script, "gh release create") {
			continue
		}
		released++
		if len(j.Needs) != 1 || j.Needs[0].Value != "test" || !strings.Contains(script, "git merge-base --is-ancestor") {
			t.Errorf("%s releases what is untested, or is not on main", name)
		}
		for _, s := range j.Steps {
			run, ok := s.Exec.(*actionlint.ExecRun)
			if token := s.Env != nil && s.Env.Vars["gh_token"] != nil; token != (ok && strings.HasPrefix(run.Run.Value, "gh release create")) {
				t.Errorf("%s: a step has the token that does not need it, or the release has none", name)
			}
		}
	}
	if released != 1 {
		t.Errorf("%d jobs release", released)
	}
}

// TestAnOlderMergeIsNotDeployedOverANewer, even if its tests were slower: the
// runs of a branch wait for each other from the start.
func TestAnOlderMergeIsNotDeployedOverANewer(t *testing.T) {
	w, faults := actionlint.Parse([]byte(texts(t)["deploy.yml"]))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	c := w.Concurrency
	if c == nil || !strings.Contains(c.Group.Value, "${{ github.ref }}") || c.CancelInProgress == nil || c.CancelInProgress.Value {
		t.Fatal("runs overtake each other, or cut each other short")
	}
	for id, j := range w.Jobs {
		if j.Concurrency != nil && j.Concurrency.Group.Value == c.Group.Value {
			t.Errorf("%s waits for its own run", id)
		}
	}
}

func TestWhatAJobMakesIsATarget(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for name, j := range jobs(t) {
		for _, call := range regexp.MustCompile(`(?m)^\s*make ([a-z-]+)`).FindAllStringSubmatch(strings.Join(scripts(j), "\n"), -1) {
			made[call[1]] = true
			if !strings.Contains(string(makefile), "\n"+call[1]+":") {
				t.Errorf("%s: no target %s", name, call[1])
			}
		}
	}
	if diff := cmp.Diff([]string{"deploy", "diff", "release", "synth"}, slices.Sorted(maps.Keys(made))); diff != "" {
		t.Error(diff)
	}
}

// TestTheAppRunsBeforeAJobHasRights: what is deployed with rights was
// synthesized without them.
func TestTheAppRunsBeforeAJobHasRights(t *testing.T) {
	found := 0
	for name, j := range jobs(t) {
		if !slices.Contains(actions(j), assume) {
			continue
		}
		found++
		armed, synthesized := false, false
		for _, s := range j.Steps {
			switch exec := s.Exec.(type) {
			case *actionlint.ExecAction:
				armed = armed || strings.HasPrefix(exec.Uses.Value, assume+"@")
			case *actionlint.ExecRun:
				script := exec.Run.Value
				synthesized = synthesized || strings.Contains(script, "make synth")
				if armed && (strings.Contains(script, "make") && !strings.Contains(script, "ASSEMBLY=cdk.out")) {
					t.Errorf("%s: %q runs the app with rights", name, script)
				}
				if !armed && strings.Contains(script, "ASSEMBLY=") {
					t.Errorf("%s: %q has no rights yet", name, script)
				}
			}
		}
		if !synthesized {
			t.Errorf("%s synthesizes nothing before it has rights", name)
		}
	}
	if found != 2 {
		t.Errorf("%d jobs have rights", found)
	}
}

// TestAnotherRepositoryIsPinned to a commit, too.
func TestAnotherRepositoryIsPinned(t *testing.T) {
	for name, j := range jobs(t) {
		for _, s := range j.Steps {
			use, ok := s.Exec.(*actionlint.ExecAction)
			if !ok || use.Inputs["repository"] == nil {
				continue
			}
			if ref := use.Inputs["ref"]; ref == nil || ref.Value.Value != "${{ vars.SHARED_REF }}" || s.If == nil || !strings.Contains(s.If.Value, "vars.SHARED_REF != ''") {
				t.Errorf("%s checks out another repository at whatever it holds", name)
			}
		}
	}
}

// TestARoleIsForOneKindOfJob: each trusts the tokens of one environment, or of
// pull requests, of one repository, and of one branch or kind of tag.
func TestARoleIsForOneKindOfJob(t *testing.T) {
	raw, err := os.ReadFile("github-roles.yml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	var trusted []string
	for _, s := range regexp.MustCompile(`(?m)actions\.githubusercontent\.com:sub: !Sub repo:\$\{Repository\}:(\S+)$`).FindAllStringSubmatch(text, -1) {
		trusted = append(trusted, s[1])
	}
	if diff := cmp.Diff([]string{"environment:${Stage}", "pull_request"}, trusted); diff != "" {
		t.Error(diff)
	}
	var refs []string
	for _, s := range regexp.MustCompile(`(?m)actions\.githubusercontent\.com:ref: (.+)$`).FindAllStringSubmatch(text, -1) {
		refs = append(refs, s[1])
	}
	if diff := cmp.Diff([]string{"!Ref Ref", "refs/pull/*/merge"}, refs); diff != "" {
		t.Error(diff)
	}
	roles := strings.Count(text, "Type: AWS::IAM::Role")
	for _, part := range []string{"Action: sts:AssumeRoleWithWebIdentity", "StringEquals:", "StringLike:\n                token.actions.githubusercontent.com:ref:", "githubusercontent.com:aud: sts.amazonaws.com"} {
		if n := strings.Count(text, part); n != roles || n != len(trusted) {
			t.Errorf("%d roles, %d times %q", roles, n, part)
		}
	}
	for _, wide := range []string{"Action: '*'", `Action: "*"`, "Resource: '*'", "ManagedPolicyArns"} {
		if strings.Contains(text, wide) {
			t.Errorf("%s widens a role", wide)
		}
	}
}

// TestARepositoryIsNamedAsItsTokensNameIt: tokens of repositories made since
// July 2026 have the ids of the owner and the repository in their subject.
func TestARepositoryIsNamedAsItsTokensNameIt(t *testing.T) {
	raw, err := os.ReadFile("github-roles.yml")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^  Repository:\n    Type: String\n    AllowedPattern: '(.*)'$`).FindSubmatch(raw)
	if found == nil {
		t.Fatal("no pattern of the repository's name")
	}
	pattern, err := regexp.Compile("^(?:" + string(found[1]) + ")$") // of the whole value, for CloudFormation
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"club/touchline": true, "club@123456/touchline@456789": true, "a-club@1/touch.line_2@2": true,
		"club@123456/touchline": false, "club/touchline@456789": false, "club@x/touchline@y": false,
		"club/*": false, "club": false, "club@1/touchline@2:ref": false, "": false,
	} {
		if pattern.MatchString(name) != want {
			t.Errorf("%q is taken: %t", name, !want)
		}
	}
}
