package main

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A shell asks with the line in a variable.
func TestALineIsCompleted(t *testing.T) {
	for line, want := range map[string][]string{
		"touchline ser":          {"serve"},
		"touchline keys ro":      {"rotate"},
		"touchline keys list -":  {"--json", "--stack"},
		"touchline serve --de":   {"--demo"},
		"touchline completion f": {"fish"},
		"touchline get --he":     {"--head", "--help"},
	} {
		t.Setenv("COMP_LINE", line)
		got := strings.Split(strings.TrimSpace(newTerminal(nil).succeed(t)), "\n")
		slices.Sort(got)
		if strings.HasSuffix(line, "-") {
			got = slices.DeleteFunc(got, func(flag string) bool { return !slices.Contains(want, flag) })
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// TestEveryShellIsToldHow, in a form that bash can read.
func TestEveryShellIsToldHow(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if said := newTerminal(nil).succeed(t, "completion", shell); !strings.Contains(said, "touchline completion -c "+shell) {
			t.Errorf("%s: %s", shell, said)
		}
		if code := newTerminal(nil).succeed(t, "completion", "-c", shell); !strings.Contains(code, "complete ") {
			t.Errorf("%s: %s", shell, code)
		}
	}
	newTerminal(nil).fails(t, exitUsage, "", "completion", "cmd")
	if _, err := exec.LookPath("bash"); err != nil {
		need(t, err)
	}
	bash := exec.CommandContext(t.Context(), "bash", "-c", newTerminal(nil).succeed(t, "completion", "-c", "bash")+"complete -p touchline")
	if said, err := bash.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

// TestTheVersionIsPrinted on standard output, with the program's name: what make
// was told, or what Go knows.
func TestTheVersionIsPrinted(t *testing.T) {
	kept := built
	defer func() { built = kept }()
	for given, want := range map[string]string{"v1.2.3": `^touchline v1\.2\.3 go`, "": `^touchline \S+ go`} {
		built = given
		if out := newTerminal(nil).succeed(t, "--version"); !regexp.MustCompile(want).MatchString(out) || !strings.HasSuffix(out, "\n") {
			t.Errorf("%q", out)
		}
	}
}
