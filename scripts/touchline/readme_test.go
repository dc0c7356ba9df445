package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"touchline/shared/signing"
)

// documents are those for users, by their paths in the repository.
var documents = []string{"README.md", "scripts/touchline/README.md", "scripts/touchline/operate.md", "scripts/touchline/season.md", "scripts/touchline/players.md", "scripts/touchline/volleyball.md", "infra/README.md", "shared/signing/README.md", "events/README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"}

func document(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	must(t, err)
	return string(text)
}

// TestLinksOfTheDocumentsLead: to a file, and to a heading of it.
func TestLinksOfTheDocumentsLead(t *testing.T) {
	for _, from := range documents {
		for _, link := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(document(t, from), -1) {
			if strings.HasPrefix(link[1], "https://") {
				continue
			}
			path, heading, _ := strings.Cut(link[1], "#")
			if path == "" {
				path = filepath.Base(from)
			}
			path = filepath.Join("..", "..", filepath.Dir(filepath.FromSlash(from)), filepath.FromSlash(path))
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", from, err)
				continue
			}
			text, _ := os.ReadFile(filepath.Clean(path)) // a folder has no headings
			if heading != "" && !regexp.MustCompile(`(?im)^#+ `+strings.ReplaceAll(regexp.QuoteMeta(heading), "-", "[ -]")+`$`).Match(text) {
				t.Errorf("%s: %s has no heading %s", from, path, heading)
			}
		}
	}
}

// TestTheRecipesNameFilesThatExist looks for every path that CONTRIBUTING names.
func TestTheRecipesNameFilesThatExist(t *testing.T) {
	paths := regexp.MustCompile("`((?:shared|functions|infra|scripts|events)/[^`]*)`").FindAllStringSubmatch(document(t, ".github/CONTRIBUTING.md"), -1)
	if len(paths) < 20 {
		t.Fatalf("found %d paths", len(paths))
	}
	for _, path := range paths {
		name := strings.ReplaceAll(filepath.FromSlash(path[1]), "GROUP", "teams")
		if found, err := filepath.Glob(filepath.Join("..", "..", name)); err != nil || len(found) == 0 {
			t.Errorf("%s does not exist", path[1])
		}
	}
}

// TestTheRecipesNameWhatIsThere looks for every test that CONTRIBUTING names, and in the files
// of a recipe's row for what the row names of them.
func TestTheRecipesNameWhatIsThere(t *testing.T) {
	recipes, word := document(t, ".github/CONTRIBUTING.md"), regexp.MustCompile("`([A-Za-z]\\w+)`")
	tests := map[string]bool{}
	must(t, filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(filepath.Clean(path))
		for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllSubmatch(text, -1) {
			tests[string(found[1])] = true
		}
		return err
	}))
	for _, name := range word.FindAllStringSubmatch(recipes, -1) {
		if strings.HasPrefix(name[1], "Test") && !tests[name[1]] {
			t.Errorf("%s is no test", name[1])
		}
	}
	_, recipes, _ = strings.Cut(recipes, "\n## Recipes\n")
	walked := 0
	for _, row := range regexp.MustCompile(`(?m)^\|(.*)\|(.*)\|$`).FindAllStringSubmatch(recipes, -1) {
		files := regexp.MustCompile("`([^`]+\\.go)`").FindAllStringSubmatch(row[1], -1)
		text := ""
		for _, file := range files {
			text += document(t, file[1])
		}
		for _, name := range word.FindAllStringSubmatch(row[2], -1) {
			if walked++; len(files) > 0 && !strings.HasPrefix(name[1], "Test") && !strings.Contains(text, name[1]) {
				t.Errorf("%s is not in%s", name[1], row[1])
			}
		}
	}
	if walked < 10 {
		t.Errorf("the recipes name %d things", walked)
	}
}

// TestTheSignatureOfTheExampleIsRight signs what the example pipes into openssl.
func TestTheSignatureOfTheExampleIsRight(t *testing.T) {
	text := document(t, "shared/signing/README.md")
	example := regexp.MustCompile(`(?s)printf '([^']*)' \|\s+openssl dgst -sha256 -hmac '([^']*)'`).FindStringSubmatch(text)
	if example == nil {
		t.Fatal("no example")
	}
	signature := signing.Sign(example[2], strings.ReplaceAll(example[1], `\n`, "\n"))
	if !strings.Contains(text, "X-Service-Signature: "+signature+"\n") {
		t.Errorf("the signature is %s", signature)
	}
}

// TestTheDocumentsNameWhatThereIs asks every command that they name for its
// help, and looks for the variables and targets.
func TestTheDocumentsNameWhatThereIs(t *testing.T) {
	var text string
	for _, path := range documents {
		text += document(t, path)
	}
	commands := regexp.MustCompile("`touchline ([a-z]+(?:[ -][a-z]+)*)[^`]*`").FindAllStringSubmatch(text, -1)
	if len(commands) < 10 {
		t.Fatalf("found %d commands", len(commands))
	}
	for _, c := range commands {
		newTerminal(nil).succeed(t, append(strings.Fields(c[1]), "--help")...)
	}
	var help strings.Builder
	for _, c := range []string{"serve", "keys create", "get"} {
		help.WriteString(newTerminal(nil).succeed(t, append(strings.Fields(c), "--help")...))
	}
	help.WriteString("TOUCHLINE_MASTER_KEY TOUCHLINE_SPORTS_TABLE TOUCHLINE_NONCES_TABLE TOUCHLINE_QUOTAS_TABLE TOUCHLINE_KEYS_TABLE TOUCHLINE_SHARED TOUCHLINE_SCALE TOUCHLINE_ENGINE") // no flags
	for _, name := range regexp.MustCompile(`TOUCHLINE_[A-Z_]+`).FindAllString(text, -1) {
		if !strings.Contains(help.String(), name) {
			t.Errorf("%s is not in any help", name)
		}
	}
	makefile, err := os.ReadFile("../../Makefile")
	must(t, err)
	targets := regexp.MustCompile("(?m)(?:`|^    |true )make ([a-z][a-z-]+)").FindAllStringSubmatch(text, -1)
	if len(targets) < 3 {
		t.Errorf("found %d targets", len(targets))
	}
	for _, target := range targets {
		if !strings.Contains(string(makefile), "\n"+target[1]+":") {
			t.Errorf("no target %s", target[1])
		}
	}
}
