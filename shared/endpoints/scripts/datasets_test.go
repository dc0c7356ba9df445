package scripts

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"touchline/shared/demo"
)

var (
	formatRow = regexp.MustCompile(`(?m)^\| ([a-z]+)\.ndjson \| (.*) \|$`)
	nested    = regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}`)
	fieldName = regexp.MustCompile(`^[a-z][A-Za-z]*`)
)

// demoAt is what `touchline serve --demo` loads at a time.
func demoAt(t *testing.T, at time.Time) fs.FS {
	t.Helper()
	dir := t.TempDir()
	if err := demo.Write(dir, at); err != nil {
		t.Fatal(err)
	}
	return os.DirFS(dir)
}

// documented are the fields of each kind of record, from dataset.md, Files.
func documented(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../../spec/dataset.md")
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]bool{}
	for _, row := range formatRow.FindAllStringSubmatch(string(text), -1) {
		cell := row[2]
		for nested.MatchString(cell) {
			cell = nested.ReplaceAllString(cell, "")
		}
		cell, _, _ = strings.Cut(cell, ". ")
		for part := range strings.SplitSeq(cell, ",") {
			for name := range strings.SplitSeq(part, " or ") { // kickoffAt or kickoffLocal
				if name = fieldName.FindString(strings.TrimSpace(name)); name != "" {
					fields[row[1]+" "+name] = true
				}
			}
		}
	}
	if len(fields) < 60 {
		t.Fatalf("dataset.md has %d fields: %v", len(fields), fields)
	}
	return fields
}

// TestTheMadeUpFederationsUseTheWholeFormat: every field that dataset.md
// documents is in a record of testdata.
func TestTheMadeUpFederationsUseTheWholeFormat(t *testing.T) {
	missing := documented(t)
	for _, folders := range datasets() {
		for _, folder := range folders {
			used(t, folder, func(field string) { delete(missing, field) })
		}
	}
	for field := range missing {
		t.Errorf("no made-up record has %s", field)
	}
}

// used calls found with the fields of the records in a dataset.
func used(t *testing.T, folder fs.FS, found func(field string)) {
	t.Helper()
	files, err := fs.Glob(folder, "*.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := folder.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var record map[string]json.RawMessage
			if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for field := range record {
				found(strings.TrimSuffix(name, ".ndjson") + " " + field)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
