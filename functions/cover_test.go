package functions

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// covered are the files of which code has run, by what covered programs noted.
func covered(t testing.TB, counters string) map[string]bool {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	runProgram(t, "go", "tool", "covdata", "textfmt", "-i="+counters, "-o="+profile)
	text, err := os.ReadFile(filepath.Clean(profile))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^touchline/(.*\.go):.* [1-9]\d*$`).FindAllSubmatch(text, -1) {
		files[string(m[1])] = true
	}
	return files
}

// way is the chapter of CONTRIBUTING that follows a request through the code.
type way struct {
	Files    []string // to be read in this order
	Packages []string // that those call, each read by its comment
}

// followed reads the chapter: a file is a name in backquotes that ends with .go, a package
// another one with a slash.
func followed(t testing.TB) way {
	t.Helper()
	text, err := os.ReadFile("../.github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "\n## Follow a request\n")
	body, _, _ := strings.Cut(after, "\n## ")
	var w way
	for _, m := range regexp.MustCompile("`([a-z_]+/[a-z_/]+(\\.go)?)`").FindAllStringSubmatch(body, -1) {
		if m[2] != "" {
			w.Files = append(w.Files, m[1])
		} else {
			w.Packages = append(w.Packages, m[1])
		}
	}
	return w
}

// compare holds a chapter to the files that have run: each is listed, or is in a
// package that is; nothing else is listed; and there are no more than 20 files.
func (w way) compare(t testing.TB, ran map[string]bool) {
	t.Helper()
	const most = 20
	var missing []string
	used := map[string]bool{}
	for file := range ran {
		if slices.Contains(w.Files, file) {
			continue
		}
		used[filepath.Dir(file)] = true
		if !slices.Contains(w.Packages, filepath.Dir(file)) {
			missing = append(missing, file)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("of %d files that run CONTRIBUTING leaves out\n%s", len(ran), strings.Join(missing, "\n"))
	}
	for _, file := range w.Files {
		if !ran[file] {
			t.Errorf("CONTRIBUTING lists %s, which does not run", file)
		}
	}
	for _, folder := range w.Packages {
		if !used[folder] {
			t.Errorf("CONTRIBUTING lists %s, of which nothing more runs", folder)
		}
	}
	if len(w.Files) > most {
		t.Errorf("CONTRIBUTING lists %d files to be read, more than %d", len(w.Files), most)
	}
}
