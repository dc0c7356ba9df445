package scripts

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const module = "touchline/"

var code = regexp.MustCompile("`([a-z]+)`")

// rows reads the README's table of where things are: the row of each package by
// name, from 0 at the top.
func rows(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	must(t, err)
	_, table, found := strings.Cut(string(text), "\n## Where things are\n")
	if !found {
		t.Fatal("the README does not say where things are")
	}
	of := map[string]int{}
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[2], "`") {
			continue
		}
		row := len(of) // unique, and larger further down
		for _, name := range code.FindAllStringSubmatch(cells[2], -1) {
			if _, twice := of[name[1]]; twice {
				t.Errorf("%s is in two rows", name[1])
			}
			of[name[1]] = row
		}
	}
	return of
}

// room is the name that the README has for a package: shared/store/records is
// part of store, functions/ping of functions.
func room(path string) string {
	folders := strings.Split(strings.TrimPrefix(path, module), "/")
	if folders[0] == "shared" {
		folders = folders[1:]
	}
	return folders[0]
}

// helper reports whether a package only serves tests; such a package may use
// everything, and nothing but tests may use it.
func helper(path string) bool { return strings.HasSuffix(path, "test") }

func TestNoImportRunsUpwards(t *testing.T) {
	row := rows(t)
	if len(row) < 20 {
		t.Fatalf("the README lists %d packages", len(row))
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "../...").Output()
	must(t, err)
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		from := words[0]
		at, listed := row[room(from)]
		seen[room(from)] = true
		if !listed {
			t.Errorf("%s is not in the README's table", from)
			continue
		}
		if helper(from) {
			continue
		}
		for _, to := range words[1:] {
			if !strings.HasPrefix(to, module) {
				continue
			}
			if helper(to) {
				t.Errorf("%s imports %s, which is for tests", from, to)
			}
			if row[room(to)] < at {
				t.Errorf("%s imports %s, which is in a row above it", from, to)
			}
		}
	}
	for name := range row {
		if !seen[name] {
			t.Errorf("the README lists %s, which does not exist", name)
		}
	}
}

// mostLines is what a package may have without its tests: what can be read in a
// sitting.
const mostLines = 2500

func TestNoPackageIsTooLong(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f",
		`{{.ImportPath}}{{$dir := .Dir}}{{range .GoFiles}}{{"\t"}}{{$dir}}/{{.}}{{end}}{{range .IgnoredGoFiles}}{{"\t"}}{{$dir}}/{{.}}{{end}}`, "../...").Output()
	must(t, err)
	packages := 0
	for line := range strings.Lines(string(out)) {
		name, files, _ := strings.Cut(strings.TrimSpace(line), "\t")
		lines := 0
		for file := range strings.SplitSeq(files, "\t") {
			if file == "" || strings.HasSuffix(file, "_test.go") { // none, or one of another platform
				continue
			}
			text, err := os.ReadFile(filepath.Clean(file))
			must(t, err)
			lines += bytes.Count(text, []byte("\n"))
		}
		packages++
		if lines > mostLines {
			t.Errorf("%s has %d lines without its tests, more than %d: give a subject of it a package of its own", name, lines, mostLines)
		}
	}
	if packages < 50 {
		t.Fatalf("go list found %d packages", packages)
	}
}
