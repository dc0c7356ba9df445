// Package scripts has no code. Its tests check that make does what its targets
// say, and that the workflows of GitHub Actions keep the rules for deploying.
package scripts

import (
	"encoding/json"
	"fmt"
	"io"
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
		for _, wrong := range []string{"pull_request_target", "secrets.", "continue-on-error"} {
			if strings.Contains(text, wrong) {
				t.Errorf("%s has %s: a stranger's code with rights, a stored secret, or a failure that nobody notices", file, wrong)
			}
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

// TestWhatGuardsMainAndADeploymentStays: lines of the workflows, and what would be without
// them.
func TestWhatGuardsMainAndADeploymentStays(t *testing.T) {
	const (
		own    = "    env:\n      STAGE: " + stage + "\n"
		onMain = "        run: git merge-base --is-ancestor \"$GITHUB_SHA\" origin/main\n"
	)
	for _, tt := range []struct{ file, job, lines, without string }{
		{"deploy.yml", "", "\non:\n  push:\n    branches: [main]\n    tags: ['v*']\n  workflow_dispatch:\n\n", "something else than a merge, a release, and somebody by hand deploys"},
		{"deploy.yml", "", "\nconcurrency:\n  group: merge-${{ github.ref }}\n  cancel-in-progress: false\n", "an older merge is deployed over a newer"},
		{"deploy.yml", "synth", onMain, "what is not on main is deployed"},
		{"deploy.yml", "synth", own, "another stage is synthesized"},
		{"deploy.yml", "synth", "      - run: make synth STAGE=\"$STAGE\"\n      - run: make ready STAGE=\"$STAGE\" ASSEMBLY=cdk.out\n", "what is missing is found after the tests"},
		{"deploy.yml", "test", "    if: github.event_name == 'push'\n    uses: ./.github/workflows/test.yml\n", "the tests do not run, or their record is not named test / test"},
		{"deploy.yml", "passed", "    if: github.event_name == 'workflow_dispatch'\n", "nobody looks at the record by hand"},
		{"deploy.yml", "release", "    if: github.event_name == 'push' && github.ref_type == 'tag'\n    needs: test\n    uses: ./.github/workflows/release.yml\n", "what is untested, or is no tag, is released"},
		// A job that was skipped stops those that need it, unless they have a condition: then
		// nothing but the condition does.
		{"deploy.yml", "deploy", "    needs: [synth, test, passed]\n    if: >-\n      !cancelled() && needs.synth.result == 'success' &&\n      (needs.test.result == 'success' || needs.passed.result == 'success')\n", "what has not passed the tests is deployed"},
		{"deploy.yml", "deploy", "    environment: " + stage + "\n    concurrency:\n      group: deploy-" + stage + "\n      cancel-in-progress: false", "nobody has to agree, or a deployment is cut short"},
		{"deploy.yml", "deploy", own, "another stage is deployed"},
		{"release.yml", "", "\non:\n  workflow_call:\n\npermissions", "something else than the workflow deploy releases"},
		{"release.yml", "", "\n  cancel-in-progress: false\n", "a release is cut short"},
		{"release.yml", "build", onMain, "what is not on main is released"},
		{"release.yml", "publish", "    needs: build\n", "something else is published"},
		{"test.yml", "test", "        if: vars.SHARED_REPOSITORY != '' && vars.SHARED_REF != ''\n        with:\n          repository: ${{ vars.SHARED_REPOSITORY }}\n          ref: ${{ vars.SHARED_REF }}\n", "another repository is taken at whatever it holds"},
		{"test.yml", "test", "      - run: pipx install cfn-lint==", "a program of whatever version is installed"},
		{"test.yml", "test", "      - run: .ci/run\n        env:\n          VULNERABILITIES: required", "the tests do not run, or not with what is known of vulnerabilities"},
		{"test.yml", "synth", "          make synth STAGE=prod && exit\n", "prod is not synthesized as it is configured"},
		{"test.yml", "diff", "    if: >-\n      github.event_name == 'pull_request' &&\n      github.event.pull_request.head.repo.full_name == github.repository &&\n      vars.AWS_DIFF_ROLE_ARN != ''\n", "a pull request of a fork gets a role"},
	} {
		text := texts(t)[tt.file]
		if tt.job != "" {
			_, text, _ = strings.Cut(text, "\n  "+tt.job+":\n")
			text = regexp.MustCompile(`(?s)\n  \w.*`).ReplaceAllString(text, "\n")
		}
		if !strings.Contains(text, tt.lines) {
			t.Errorf("%s %s: %s:\n%s", tt.file, tt.job, tt.without, tt.lines)
		}
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
	script := scripts(jobs(t)["deploy.yml passed"])[0] // it asks gh, which is ours here
	all := []string{"test / test", "test / synth"}
	platforms := jobs(t)["test.yml platforms"].Strategy.Matrix.Rows["platform"]
	for _, v := range platforms.Values {
		of, unquoted := v.(*actionlint.RawYAMLObject).Props, strings.NewReplacer(`"`, "")
		all = append(all, unquoted.Replace(fmt.Sprintf("test / platforms (%s, %s)", of["os"], of["arch"])))
	}
	without := func(job string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(all), func(j string) bool { return j == job }), "\n")
	}
	type row struct {
		ref, record string
		want        bool
	}
	rows := []row{
		{"refs/tags/v1.2.3", without(""), true},
		{"refs/tags/v1.2.3", "", false},
		{"refs/heads/main", without(""), false},
		{"refs/heads/v1", without(""), false},
		{"refs/tags/other", without(""), false},
	}
	for _, job := range all {
		rows = append(rows, row{"refs/tags/v1.2.3", without(job), false})
	}
	for _, c := range rows {
		bin := t.TempDir()
		gh := "#!/bin/sh\ncase \"$*\" in *\"/commits/$GITHUB_SHA/\"*'.app.slug == \"github-actions\"'*'.conclusion == \"success\"'*) echo '" + c.record + "' ;; esac\n"
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
