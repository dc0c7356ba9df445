package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checks runs scripts/vulnerabilities in its own checkout, with a go command
// that installs a govulncheck, or fails to.
func checks(t *testing.T, install, govulncheck, expected string) (said string, code int) {
	t.Helper()
	dir := t.TempDir()
	script, err := os.ReadFile("vulnerabilities")
	must(t, err)
	for name, text := range map[string]string{
		"scripts/vulnerabilities": string(script),
		"govulncheck":             "#!/bin/sh\n" + govulncheck + "\n",
		"go":                      "#!/bin/sh\n" + install + "\n",
	} {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o750))
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program(t, "bash")
	c := exec.Command(filepath.Join(dir, "scripts/vulnerabilities"), "./shared/...")
	c.Env = append(os.Environ(), "GO="+filepath.Join(dir, "go"), "VULNERABILITIES="+expected)
	out, err := c.CombinedOutput()
	if err != nil {
		code = exitCode(t, err)
	}
	return string(out), code
}

const installs = `cp "$(dirname "$0")/govulncheck" "$GOBIN/govulncheck"`

// TestVulnerabilitiesFailAndAMissingNetworkDoesNot, but it is reported, and fails
// where the look-up is required.
func TestVulnerabilitiesFailAndAMissingNetworkDoesNot(t *testing.T) {
	for name, tt := range map[string]struct {
		install, govulncheck string
		code                 int
		says                 string
	}{
		"nothing is found":             {installs, "echo No vulnerabilities found.", 0, "No vulnerabilities found."},
		"something is found":           {installs, "echo Vulnerability 1; exit 3", 3, "Vulnerability 1"},
		"the code does not compile":    {installs, "echo 'govulncheck: loading packages:' >&2; exit 1", 1, "loading packages"},
		"the database is out of reach": {installs, `echo 'govulncheck: fetching vulnerabilities: Get "https://vuln.go.dev/index/modules.json.gz": dial tcp: no such host' >&2; exit 1`, 0, "NOT CHECKED for known vulnerabilities: the database cannot be reached. govulncheck: fetching"},
		"it cannot be installed":       {"echo no network >&2; exit 1", "exit 9", 0, "NOT CHECKED for known vulnerabilities: govulncheck v1.8.0 could not be installed. no network"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, expected := range []string{"", "required"} {
				said, code := checks(t, tt.install, tt.govulncheck, expected)
				want := tt.code
				if expected != "" && strings.HasPrefix(tt.says, "NOT CHECKED") {
					want = 1
				}
				if code != want || !strings.Contains(said, tt.says) {
					t.Errorf("%q: exit %d: %s", expected, code, said)
				}
			}
		})
	}
}
