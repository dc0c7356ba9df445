// Package scripts has no code. Its tests check that make does what its targets
// say, and that the workflows of GitHub Actions keep the rules for deploying.
package scripts

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
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
		must(t, err)
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

// stage is what the workflow deploy is about: a tag goes to prod, and only a tag.
const stage = "${{ github.ref_type == 'tag' && 'prod' || 'dev' }}"

func TestWorkflowsAreSound(t *testing.T) {
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{WorkingDir: ".."})
	must(t, err)
	for file := range texts(t) {
		faults, err := linter.LintFile(folder+file, nil)
		must(t, err)
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
		if slices.Contains(used, assume) || slices.Contains(used, attest) || j.WorkflowCall != nil {
			want["id-token"] = "write"
		}
		if slices.Contains(used, attest) || releases(j) {
			want["attestations"] = "write"
		}
		if releases(j) {
			want["contents"] = "write"
		}
		if script := strings.Join(scripts(j), "\n"); strings.Contains(script, "gh release create") {
			want["contents"] = "write"
		} else if strings.Contains(script, "/check-runs") {
			want["checks"] = "read"
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
		if j.WorkflowCall == nil && (j.RunsOn == nil || len(j.RunsOn.Labels) != 1 || j.RunsOn.Labels[0].Value != "ubuntu-24.04") {
			t.Errorf("%s does not run on a machine of GitHub's that is made for it, of a version that stays", name)
		}
		for _, s := range j.Steps {
			if input(s, "actions/checkout", "persist-credentials") != "false" && input(s, "actions/checkout", "") != "" {
				t.Errorf("%s leaves its token in the checkout", name)
			}
			run, ok := s.Exec.(*actionlint.ExecRun)
			if s.Env != nil && (!ok || !strings.Contains(run.Run.Value, "gh ")) {
				for _, v := range s.Env.Vars {
					if strings.Contains(v.Value.Value, "token") {
						t.Errorf("%s gives its token to a step that does not call gh", name)
					}
				}
			}
		}
	}
}

// input is that of a step which uses an action; of no name, the action. It is empty
// where the step does something else.
func input(s *actionlint.Step, action, name string) string {
	use, ok := s.Exec.(*actionlint.ExecAction)
	if !ok || !strings.HasPrefix(use.Uses.Value, action+"@") {
		return ""
	}
	if name == "" {
		return action
	}
	if given := use.Inputs[name]; given != nil {
		return given.Value.Value
	}
	return ""
}

// TestWhatLeavesIsBuiltWithoutCaches, which other runs have written, and with the role that
// is meant for it.
func TestWhatLeavesIsBuiltWithoutCaches(t *testing.T) {
	roles := map[string]string{"deploy.yml deploy": "${{ vars.AWS_DEPLOY_ROLE_ARN }}", "test.yml diff": "${{ vars.AWS_DIFF_ROLE_ARN }}"}
	for name, j := range jobs(t) {
		for _, s := range j.Steps {
			if input(s, assume, "") != "" && input(s, assume, "role-to-assume") != roles[name] {
				t.Errorf("%s assumes another role than its own", name)
			}
			if strings.HasPrefix(name, "test.yml") {
				continue
			}
			if input(s, "actions/setup-go", "") != "" && input(s, "actions/setup-go", "cache") != "false" || input(s, "actions/setup-node", "cache") != "" || input(s, "actions/cache", "") != "" {
				t.Errorf("%s builds from a cache", name)
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
		// The environment has the approval, and the role trusts it alone.
		if j.Environment == nil || j.Environment.Name.Value != stage || j.Concurrency.Group.Value != "deploy-"+stage {
			t.Errorf("%s is not in the environment of what it deploys", name)
		}
		// A job that was skipped stops those that need it, unless they have a
		// condition: then nothing but the condition does.
		const needed = "!cancelled() && needs.synth.result == 'success' && (needs.test.result == 'success' || needs.passed.result == 'success')"
		if got := needs(j); !slices.Equal(got, []string{"synth", "test", "passed"}) || j.If == nil || strings.Join(strings.Fields(j.If.Value), " ") != needed {
			t.Errorf("%s needs %v: it could deploy what has not passed the tests", name, got)
		}
	}
	if deployed != 1 {
		t.Errorf("%d jobs deploy", deployed)
	}
}

func needs(j *actionlint.Job) (ids []string) {
	for _, id := range j.Needs {
		ids = append(ids, id.Value)
	}
	return ids
}

// TestByHandOnlyATagThatHasPassedIsDeployed: the tests do not run again, so their
// record is looked up, under the name that they have in it.
func TestByHandOnlyATagThatHasPassedIsDeployed(t *testing.T) {
	all := jobs(t)
	const byHand, byPush = "github.event_name == 'workflow_dispatch'", "github.event_name == 'push'"
	test, passed := all["deploy.yml test"], all["deploy.yml passed"]
	if test == nil || test.If == nil || test.If.Value != byPush || passed == nil || passed.If == nil || passed.If.Value != byHand {
		t.Fatal("not exactly one of the tests and their record is looked at")
	}
	if test.WorkflowCall == nil || test.WorkflowCall.Uses.Value != "./.github/workflows/test.yml" || all["test.yml test"] == nil {
		t.Error("the record is not named test / test")
	}
	// The script asks gh, which stands in for GitHub here.
	script := scripts(passed)[0]
	for _, c := range []struct {
		ref, record string
		want        bool
	}{
		{"refs/tags/v1.2.3", "4711", true},
		{"refs/tags/v1.2.3", "", false},
		{"refs/heads/main", "4711", false},
		{"refs/heads/v1", "4711", false},
		{"refs/tags/other", "4711", false},
	} {
		bin := t.TempDir()
		gh := "#!/bin/sh\ncase \"$*\" in *\"/commits/$GITHUB_SHA/\"*'.name == \"test / test\"'*'.app.slug == \"github-actions\"'*'.conclusion == \"success\"'*) echo '" + c.record + "' ;; esac\n"
		must(t, os.WriteFile(filepath.Join(bin, "gh"), []byte(gh), 0o700))
		program(t, "bash")
		command := exec.Command("bash", "-e", "-c", script)
		command.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "GITHUB_REF="+c.ref, "GITHUB_REF_NAME="+filepath.Base(c.ref),
			"GITHUB_SHA=0123456789abcdef0123456789abcdef01234567", "GITHUB_REPOSITORY=club/touchline")
		if said, err := command.CombinedOutput(); (err == nil) != c.want {
			t.Errorf("%s with the record %q: %v, %s", c.ref, c.record, err, said)
		}
	}
}

// attest is the action that attests what was built.
const attest = "actions/attest-build-provenance"

// releases says whether a job calls the workflow that makes a release.
func releases(j *actionlint.Job) bool {
	return j.WorkflowCall != nil && strings.HasSuffix(j.WorkflowCall.Uses.Value, "/release.yml")
}

// TestTheSBOMHasWhatIsLinked: the standard library and every module, in the place of one
// that was replaced what replaced it.
func TestTheSBOMHasWhatIsLinked(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	command := exec.Command("node", "sbom.mjs", "v1.2.3")
	command.Stdin = strings.NewReader(`{"GoVersion": "go1.26.8", "Deps": [
		{"Path": "example.org/a/v2", "Version": "v2.0.1", "Sum": "h1:AAEC/w=="},
		{"Path": "example.org/b", "Version": "v1.0.0", "Replace": {"Path": "example.org/c", "Version": "v1.1.0", "Sum": "h1:AAEC/w=="}}]}`)
	out, err := command.Output()
	must(t, err)
	var got struct {
		BomFormat  string
		Metadata   struct{ Component struct{ Version string } }
		Components []struct {
			PURL   string
			Hashes []struct{ Content string }
		}
	}
	must(t, json.Unmarshal(out, &got))
	const want = "{CycloneDX {{v1.2.3}} [{pkg:golang/std@1.26.8 []} {pkg:golang/example.org/a/v2@v2.0.1 [{000102ff}]} {pkg:golang/example.org/c@v1.1.0 [{000102ff}]}]}"
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestAReleaseIsOfMainAndNeedsTheTests, and only the step that makes it has the
// right to.
func TestAReleaseIsOfMainAndNeedsTheTests(t *testing.T) {
	released, called := 0, 0
	for name, j := range jobs(t) {
		if releases(j) {
			called++
			if len(j.Needs) != 1 || j.Needs[0].Value != "test" || j.If == nil || j.If.Value != "github.event_name == 'push' && github.ref_type == 'tag'" {
				t.Errorf("%s releases what is untested, or is no tag", name)
			}
		}
		script := strings.Join(scripts(j), "\n")
		if !strings.Contains(script, "gh release create") {
			continue
		}
		released++
		build := jobs(t)["release.yml build"]
		if !slices.Contains(actions(j), attest) || len(j.Needs) != 1 || j.Needs[0].Value != "build" || !slices.Contains(scripts(build), `git merge-base --is-ancestor "$GITHUB_SHA" origin/main`) || !strings.Contains(script, `gh release create "$GITHUB_REF_NAME" --repo "$GITHUB_REPOSITORY" --verify-tag `) {
			t.Errorf("%s releases what is not attested, or is not on main", name)
		}
		for _, s := range j.Steps {
			run, ok := s.Exec.(*actionlint.ExecRun)
			if token := s.Env != nil && s.Env.Vars["gh_token"] != nil; token != (ok && strings.HasPrefix(run.Run.Value, "gh release create")) {
				t.Errorf("%s: a step has the token that does not need it, or the release has none", name)
			}
		}
	}
	if released != 1 || called != 1 {
		t.Errorf("%d jobs release, called by %d", released, called)
	}
	if !strings.Contains(texts(t)["release.yml"], "\non:\n  workflow_call:\n\npermissions") || !strings.Contains(texts(t)["release.yml"], "\n  cancel-in-progress: false\n") {
		t.Error("something else than a tag v* is released, or a release is cut short")
	}
}

// TestAnOlderMergeIsNotDeployedOverANewer, even if its tests were slower: the
// runs of a branch wait for each other from the start.
func TestAnOlderMergeIsNotDeployedOverANewer(t *testing.T) {
	w, faults := actionlint.Parse([]byte(texts(t)["deploy.yml"]))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if !strings.Contains(texts(t)["deploy.yml"], "\non:\n  push:\n    branches: [main]\n    tags: ['v*']\n  workflow_dispatch:\n\n") {
		t.Error("something else than a merge, a release, and somebody by hand deploys")
	}
	c := w.Concurrency
	if c == nil || c.Group.Value != "merge-${{ github.ref }}" || c.CancelInProgress == nil || c.CancelInProgress.Value {
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
	must(t, err)
	made := map[string]bool{}
	for name, j := range jobs(t) {
		for _, call := range regexp.MustCompile(`(?m)^\s*make ([a-z-]+)`).FindAllStringSubmatch(strings.Join(scripts(j), "\n"), -1) {
			made[call[1]] = true
			if !strings.Contains(string(makefile), "\n"+call[1]+":") {
				t.Errorf("%s: no target %s", name, call[1])
			}
		}
	}
	if diff := cmp.Diff([]string{"deploy", "diff", "ready", "release", "synth"}, slices.Sorted(maps.Keys(made))); diff != "" {
		t.Error(diff)
	}
}

// privileged are the scripts of the jobs that can ask for a token, to assume a role or
// to sign an attestation.
var privileged = map[string][]string{
	"release.yml publish": {`gh release create "$GITHUB_REF_NAME" --repo "$GITHUB_REPOSITORY" --verify-tag --title "$GITHUB_REF_NAME" --generate-notes touchline-* SHA256SUMS`},
	"deploy.yml deploy":   {"tar -xf cdk.out.tar", `make deploy STAGE="$STAGE" ASSEMBLY=cdk.out`},
	"test.yml diff":       {"tar -xf cdk.out.tar", "make diff STAGE=dev ASSEMBLY=cdk.out ARGS=--method=template"},
}

// TestTheAppRunsInJobsWithoutRights: a job that can ask for a token takes what
// another has synthesized. The assembly is handed over in an archive, since an
// artifact forgets that a function's bootstrap is executable.
func TestTheAppRunsInJobsWithoutRights(t *testing.T) {
	all, found := jobs(t), 0
	for name, j := range all {
		if j.WorkflowCall != nil || j.Permissions == nil || j.Permissions.Scopes["id-token"] == nil {
			continue
		}
		found++
		if diff := cmp.Diff(privileged[name], scripts(j)); diff != "" {
			t.Errorf("%s runs something else where a role can be assumed: %s", name, diff)
		}
		file, _, _ := strings.Cut(name, " ")
		maker := "synth"
		if file == "release.yml" {
			maker = "build"
		}
		taken := artifact(j, "actions/download-artifact")
		if !slices.Contains(needs(j), maker) || taken == "" || taken != artifact(all[file+" "+maker], "actions/upload-artifact") {
			t.Errorf("%s does not take what the job %s has made", name, maker)
		}
		if maker == "synth" && !slices.Contains(scripts(all[file+" synth"]), "tar -cf cdk.out.tar cdk.out") {
			t.Errorf("%s: the assembly is not handed over in an archive", name)
		}
	}
	if found != len(privileged) {
		t.Errorf("%d jobs have rights", found)
	}
	const own = "github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository && vars.AWS_DIFF_ROLE_ARN != ''"
	if j := all["test.yml diff"]; j.If == nil || strings.Join(strings.Fields(j.If.Value), " ") != own || strings.Count(texts(t)["test.yml"], "role-to-assume: ${{ vars.AWS_DIFF_ROLE_ARN }}") != 1 {
		t.Error("a pull request gets another role than that of diff, or one of a fork gets it")
	}
}

// TestNothingFailsUnnoticed: no job or step may fail, and the tests are all of .ci/run.
func TestNothingFailsUnnoticed(t *testing.T) {
	for file, text := range texts(t) {
		if strings.Contains(text, "continue-on-error") {
			t.Errorf("%s goes on after a failure", file)
		}
	}
	steps := jobs(t)["test.yml test"].Steps
	last := steps[len(steps)-1]
	run, ok := last.Exec.(*actionlint.ExecRun)
	if !ok || run.Run.Value != ".ci/run" || last.If != nil || last.Env == nil || last.Env.Vars["vulnerabilities"] == nil || last.Env.Vars["vulnerabilities"].Value.Value != "required" {
		t.Error("the tests are not run, or not with what is known of vulnerabilities")
	}
	for name, j := range jobs(t) {
		if install := regexp.MustCompile(`pipx install (\S+)`).FindStringSubmatch(strings.Join(scripts(j), "\n")); install != nil && !strings.Contains(install[1], "==") {
			t.Errorf("%s installs %s of whatever version", name, install[1])
		}
	}
}

// artifact is the name of the artifact that a job hands to an action.
func artifact(j *actionlint.Job, action string) string {
	for _, s := range j.Steps {
		if use, ok := s.Exec.(*actionlint.ExecAction); ok && strings.HasPrefix(use.Uses.Value, action+"@") {
			return use.Inputs["name"].Value.Value
		}
	}
	return ""
}

// TestProdIsSynthesizedAsConfiguredInEveryRun, and a tag without a needed setting ends
// before its tests begin.
func TestProdIsSynthesizedAsConfiguredInEveryRun(t *testing.T) {
	all := jobs(t)
	if script := strings.Join(scripts(all["test.yml synth"]), "\n"); !strings.HasPrefix(script, "make synth STAGE=prod && exit\n") {
		t.Errorf("the first thing that is synthesized is %q", script)
	}
	for _, id := range []string{"synth", "deploy"} {
		if j := all["deploy.yml "+id]; j.Env == nil || j.Env.Vars["stage"] == nil || j.Env.Vars["stage"].Value.Value != stage {
			t.Errorf("%s is of another stage", id)
		}
	}
	if j := all["deploy.yml synth"]; len(j.Needs) > 0 || j.If != nil || !slices.Contains(scripts(j), `git merge-base --is-ancestor "$GITHUB_SHA" origin/main`) || !slices.Contains(scripts(j), `make synth STAGE="$STAGE"`) || !slices.Contains(scripts(j), `make ready STAGE="$STAGE" ASSEMBLY=cdk.out`) {
		t.Error("what is deployed is not synthesized first, and looked at")
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
	must(t, err)
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
	must(t, err)
	found := regexp.MustCompile(`(?m)^  Repository:\n    Type: String\n    AllowedPattern: '(.*)'$`).FindSubmatch(raw)
	if found == nil {
		t.Fatal("no pattern of the repository's name")
	}
	pattern, err := regexp.Compile("^(?:" + string(found[1]) + ")$") // of the whole value, for CloudFormation
	must(t, err)
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
