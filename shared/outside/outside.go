// Package outside finds test data that is kept out of the repository: real
// seasons (data/) and signing vectors that somebody else made (vectors/). They
// are in a folder named shared next to the checkout, or in the folder that the
// environment variable TOUCHLINE_SHARED names.
//
// Nothing depends on them to be built or tested: a test that needs them is
// skipped if they are missing, and what it checks is also checked on made-up
// data. It fails instead if TOUCHLINE_SHARED names a folder without them, and
// if CI is set; TOUCHLINE_SHARED=none is how a CI machine does without.
package outside

import (
	"os"
	"path/filepath"
	"testing"
)

// Variable is the environment variable that names the folder; None is its value
// for no folder at all.
const (
	Variable = "TOUCHLINE_SHARED"
	None     = "none"
)

// Path returns the path of a file or folder there, such as "data/austria". The
// test is skipped, or fails, when it is missing.
func Path(t testing.TB, name string) string {
	t.Helper()
	folder := os.Getenv(Variable)
	named := folder != ""
	if folder == None {
		t.Skipf("no real data: %s=%s", Variable, None)
	}
	if !named {
		folder = sibling(t)
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil { //nolint:gosec // whoever runs the tests chooses the folder
		if named || os.Getenv("CI") != "" {
			t.Fatalf("%v (%s=%s does without)", err, Variable, None)
		}
		t.Skipf("no real data in %s, which %s can name", folder, Variable)
	}
	return path
}

// sibling is the folder shared next to the checkout, which is the folder above
// the test that has go.mod.
func sibling(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(folder, "go.mod")); missing == nil {
			return filepath.Join(filepath.Dir(folder), "shared")
		}
		if folder == filepath.Dir(folder) {
			err = os.ErrNotExist
		}
		folder = filepath.Dir(folder)
	}
	t.Fatalf("no go.mod above the test: %v", err)
	return ""
}
