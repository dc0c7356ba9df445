package spec

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	decisionRow = regexp.MustCompile(`(?m)^\*\*(D[0-9]+)\.\*\* `)
	decisionRef = regexp.MustCompile(`\bD[0-9]{1,2}\b`)
	headingRow  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	// A comment cites a section by its heading: "read-api, Limits".
	sectionRef = regexp.MustCompile(`\b(read-api|decisions|dataset|design)(?:\.md)?, "?([A-Z][A-Za-z .-]+)`)
	// A citation may be broken across the lines of a comment.
	lineBreak = regexp.MustCompile(`\s*\n\s*(?://|#)?\s*`)
)

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Clean(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func headings(t *testing.T, name string) []string {
	t.Helper()
	var all []string
	for _, row := range headingRow.FindAllStringSubmatch(document(t, name), -1) {
		all = append(all, row[1])
	}
	return all
}

// sources yields the text files of the repository that people write: code,
// scripts, documents, workflows. What is generated or downloaded is left out.
func sources(t *testing.T, yield func(path, text string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	skip := []string{".git", "node_modules", "build", "cdk.out", ".tools", ".touchline"}
	read := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(skip, entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || !slices.Contains([]string{".go", ".md", ".txt", ".yml"}, filepath.Ext(path)):
			return nil
		}
		text, err := os.ReadFile(filepath.Clean(path))
		if err != nil {
			return err
		}
		read++
		yield(path, string(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 100 {
		t.Fatalf("only %d files read: is %s the root of the repository?", read, root)
	}
}

// TestDecisionsAreInOrder: each number once, rising. A number that is missing is of a
// decision that is not carried out yet; nothing can cite it.
func TestDecisionsAreInOrder(t *testing.T) {
	rows := decisionRow.FindAllStringSubmatch(document(t, "decisions.md"), -1)
	last := 0
	for _, row := range rows {
		n, err := strconv.Atoi(strings.TrimPrefix(row[1], "D"))
		if err != nil || n <= last {
			t.Fatalf("%s follows D%d", row[1], last)
		}
		last = n
	}
	if len(rows) < 55 {
		t.Errorf("decisions.md has %d decisions", len(rows))
	}
}

func TestEveryDecisionThatIsCitedExists(t *testing.T) {
	defined := map[string]bool{}
	for _, row := range decisionRow.FindAllStringSubmatch(document(t, "decisions.md"), -1) {
		defined[row[1]] = true
	}
	cited := map[string]bool{}
	sources(t, func(path, text string) {
		for _, number := range decisionRef.FindAllString(text, -1) {
			if !defined[number] {
				t.Errorf("%s cites %s, which decisions.md does not have", path, number)
			}
			cited[number] = true
		}
	})
	if !cited["D1"] || !cited["D40"] {
		t.Errorf("citations were not found: %v", cited)
	}
}

func TestEverySectionThatIsCitedExists(t *testing.T) {
	all := map[string][]string{}
	for _, name := range []string{"read-api", "decisions", "dataset", "design"} {
		all[name] = headings(t, name+".md")
	}
	cited := 0
	sources(t, func(path, text string) {
		text = lineBreak.ReplaceAllString(text, " ")
		for _, ref := range sectionRef.FindAllStringSubmatch(text, -1) {
			cited++
			if !slices.ContainsFunc(all[ref[1]], func(heading string) bool { return strings.HasPrefix(ref[2], heading) }) {
				t.Errorf("%s cites %s, %q, which is not a section of %[2]s.md", path, ref[1], ref[2])
			}
		}
	})
	if cited < 20 {
		t.Errorf("only %d citations were found", cited)
	}
}
