package site

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestTheTextForLanguageModelsNamesEveryPage, each at an address that exists.
func TestTheTextForLanguageModelsNamesEveryPage(t *testing.T) {
	made := written(t)
	text := string(made["llms.txt"])
	linked := map[string]bool{}
	for _, link := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		linked[link[1]] = true
		if made[link[1]] == nil {
			t.Errorf("%s does not exist", link[1])
		}
	}
	for _, s := range sections() {
		for _, p := range s.Pages {
			if !linked[p.Name+".html"] {
				t.Errorf("%s is not named", p.Name)
			}
		}
	}
}

// TestTheProgramForLanguageModelsSigns what the page about signing signs.
func TestTheProgramForLanguageModelsSigns(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	_, program, _ := strings.Cut(string(written(t)["llms.txt"]), "```python\n")
	program, _, found := strings.Cut(program, "```")
	if lines := strings.Count(program, "\n"); !found || lines > 40 {
		t.Fatalf("a program of %d lines", lines)
	}
	for _, r := range workedRequests() {
		want, err := work(r)
		must(t, err)
		call := "\nimport sys\nprint(sign(*sys.argv[1:]))\n"
		out, err := exec.CommandContext(t.Context(), "python3", "-c", program+call, want.Secret, want.Path, want.Query, want.Timestamp, want.Nonce).Output()
		if err != nil || strings.TrimSpace(string(out)) != want.Signature {
			t.Errorf("%s: %s, %v", r.target, out, err)
		}
	}
}
