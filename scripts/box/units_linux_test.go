package box

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheUnitsAreSound has systemd read them, and judge how much the service is kept from.
// The guide has to tell of every file here.
func TestTheUnitsAreSound(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	text, err := os.ReadFile(guide)
	must(t, err)
	files, err := os.ReadDir(".")
	must(t, err)
	for _, file := range files {
		name := file.Name()
		if strings.HasSuffix(name, ".go") {
			continue
		}
		if !strings.Contains(string(text), "](../box/"+name+")") {
			t.Errorf("the guide does not tell of %s", name)
		}
		if !strings.HasPrefix(name, "touchline") || filepath.Ext(name) == "" {
			continue
		}
		unit, err := os.ReadFile(name)
		must(t, err)
		path := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(unit), "/usr/local/bin/touchline", "/bin/true")), 0o600)) // which is there
		if out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", path).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v: %s", name, err, out)
		}
		if name == "touchline@.service" {
			if out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--threshold=20", path).CombinedOutput(); err != nil {
				t.Errorf("it is exposed more than 2 of 10: %s", out)
			}
		}
	}
}
