package openapi_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/openapi"
)

const releasedFile = "testdata/released.json"

// release is a version of the document and the hash of its bytes.
type release struct {
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
}

func readReleases(t *testing.T) []release {
	t.Helper()
	text, err := os.ReadFile(releasedFile)
	if err != nil {
		t.Fatal(err)
	}
	var all []release
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatalf("%s: %v", releasedFile, err)
	}
	return all
}

func writeReleases(t *testing.T, all []release) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(all); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(releasedFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// admit returns the releases including the document's version, or what to do if
// that is impossible. Only the last release may be the document's, and a version
// never gets a second hash.
func admit(all []release, version, hash string, add bool) (_ []release, problem string) {
	if len(all) > 0 && all[len(all)-1].Version == version {
		if all[len(all)-1].SHA256 != hash {
			return nil, "the document has changed and its version has not. Raise Version in document.go " +
				"(the last number for wording, the middle one for what is added, the first for what breaks clients), then run `make golden`"
		}
		return all, ""
	}
	for _, r := range all {
		switch {
		case r.Version == version:
			return nil, "version " + version + " has been used before. Raise Version in document.go above " + all[len(all)-1].Version
		case r.SHA256 == hash:
			return nil, "the document is that of version " + r.Version + ": nothing to raise Version for"
		}
	}
	if len(all) > 0 && !later(version, all[len(all)-1].Version) {
		return nil, "Version in document.go must be above " + all[len(all)-1].Version
	}
	if !add {
		return nil, "version " + version + " is new: run `make golden` to note it in " + releasedFile
	}
	return append(all, release{version, hash}), ""
}

// later reports whether version a is above b; both are three numbers.
func later(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	if len(x) != 3 || len(y) != 3 {
		return false
	}
	for i := range x {
		m, errM := strconv.Atoi(x[i])
		n, errN := strconv.Atoi(y[i])
		if errM != nil || errN != nil {
			return false
		}
		if m != n {
			return m > n
		}
	}
	return false
}

// TestTheDocumentChangesWithItsVersion holds the document of a released version to its
// hash. The version that the changelog calls unreleased may change until then.
func TestTheDocumentChangesWithItsVersion(t *testing.T) {
	if strings.HasPrefix(openapi.Changes(), "## "+openapi.Version+" (unreleased)") {
		for _, r := range readReleases(t) {
			if !later(openapi.Version, r.Version) {
				t.Errorf("%s is unreleased, and %s is released", openapi.Version, r.Version)
			}
		}
		return
	}
	sum := sha256.Sum256(openapi.JSON(table(), ""))
	all, problem := admit(readReleases(t), openapi.Version, hex.EncodeToString(sum[:]), *update)
	if problem != "" {
		t.Fatal(problem)
	}
	if *update {
		writeReleases(t, all)
	}
	if doc := read(t); doc.Info.Version != openapi.Version {
		t.Errorf("the document says %s", doc.Info.Version)
	}
}

func TestReleasesAscend(t *testing.T) {
	all := readReleases(t)
	for i := 1; i < len(all); i++ {
		if !later(all[i].Version, all[i-1].Version) {
			t.Errorf("%s follows %s", all[i].Version, all[i-1].Version)
		}
	}
}

func TestEveryReleaseIsInTheChangelog(t *testing.T) {
	var want, got []string
	for _, r := range readReleases(t) {
		want = append([]string{r.Version}, want...)
	}
	for _, heading := range regexp.MustCompile(`(?m)^## (\S+) \(\d{4}-\d{2}-\d{2}\)`).FindAllStringSubmatch(openapi.Changes(), -1) {
		got = append(got, heading[1])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAVersionIsOfOneDocument(t *testing.T) {
	all := []release{{"1.0.0", "a"}, {"1.2.0", "b"}}
	tests := []struct {
		name          string
		version, hash string
		add           bool
		says          string // empty: admitted
		releases      int
	}{
		{"nothing changed", "1.2.0", "b", false, "", 2},
		{"changed without a version", "1.2.0", "c", false, "has not", 0},
		{"changed without a version, on update", "1.2.0", "c", true, "has not", 0},
		{"a new version", "1.3.0", "c", false, "make golden", 0},
		{"a new version, on update", "1.3.0", "c", true, "", 3},
		{"a tenth version, on update", "1.10.0", "c", true, "", 3},
		{"a version of before", "1.0.0", "c", true, "used before", 0},
		{"a version between", "1.1.0", "c", true, "above 1.2.0", 0},
		{"no version", "next", "c", true, "above 1.2.0", 0},
		{"a document of before", "1.3.0", "a", true, "version 1.0.0", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problem := admit(all, tt.version, tt.hash, tt.add)
			if (tt.says == "") != (problem == "") || !strings.Contains(problem, tt.says) {
				t.Errorf("%q", problem)
			}
			if len(got) != tt.releases {
				t.Errorf("%v", got)
			}
		})
	}
}
