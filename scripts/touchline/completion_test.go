package main

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestBashCompletes asks bash what it would offer.
func TestBashCompletes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		need(t, err)
	}
	script := newTerminal(nil).succeed(t, "completion", "bash")
	for line, want := range map[string][]string{
		"touchline ser":                {"serve"},
		"touchline keys ro":            {"rotate"},
		"touchline --stack dev keys l": {"list"},
		"touchline serve --de":         {"--demo"},
		"touchline completion f":       {"fish"},
		"touchline kit py":             {"python"},
		"touchline get --he":           {"--head", "--help"},
		"touchline hel":                {"help"},
	} {
		words := strings.Split(line, " ")
		ask := script + "\nCOMP_WORDS=(" + line + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_touchline\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
		out, err := exec.CommandContext(t.Context(), "bash", "-c", ask).CombinedOutput()
		got := strings.Fields(string(out))
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", words, got, err)
		}
	}
}

// TestEveryShellKnowsEveryCommand, with flags that are there.
func TestEveryShellKnowsEveryCommand(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := newTerminal(nil).succeed(t, "completion", shell)
		for _, word := range []string{"serve", "' keys create'", "docs-addr", "completion"} {
			if shell == "fish" {
				word = strings.ReplaceAll(word, "'", "")
			}
			if !strings.Contains(script, word) {
				t.Errorf("%s does not know %s", shell, word)
			}
		}
	}
	if code := newTerminal(nil).run("completion", "cmd"); code != exitUsage {
		t.Errorf("exit %d", code)
	}
}

// TestTheVersionIsPrinted on standard output, with the program's name: what make
// was told, or what names this build alone.
func TestTheVersionIsPrinted(t *testing.T) {
	kept := built
	defer func() { built = kept }()
	for given, want := range map[string]string{"v1.2.3": `^touchline v1\.2\.3 go`, "": `^touchline (build-|.*)[0-9a-f]{12}.* go`} {
		built = given
		if out := newTerminal(nil).succeed(t, "--version"); !regexp.MustCompile(want).MatchString(out) || !strings.HasSuffix(out, "\n") {
			t.Errorf("%q", out)
		}
	}
}
