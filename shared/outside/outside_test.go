package outside

import (
	"os"
	"path/filepath"
	"testing"
)

// recorder notes how a test ended. Like testing.T it ends the calling goroutine.
type recorder struct {
	testing.TB
	skipped, failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Skipf(string, ...any)  { r.skipped = true; panic(r) }
func (r *recorder) Fatalf(string, ...any) { r.failed = true; panic(r) }

func find(t *testing.T, name string) (path string, r *recorder) {
	r = &recorder{TB: t}
	defer func() {
		if ended := recover(); ended != nil && ended != any(r) {
			panic(ended)
		}
	}()
	return Path(r, name), r
}

func TestMissingDataSkipsOnlyWhereNobodyAskedForIt(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "data", "here"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		title, shared, ci, name string
		skipped, failed         bool
	}{
		{title: "there", shared: folder, name: "data/here"},
		{title: "a folder is named that does not have it", shared: folder, name: "data/gone", failed: true},
		{title: "nobody asked", name: "data/gone", skipped: true},
		{title: "CI asks", ci: "true", name: "data/gone", failed: true},
		{title: "CI does without", shared: None, ci: "true", name: "data/here", skipped: true},
	} {
		t.Run(c.title, func(t *testing.T) {
			t.Setenv(Variable, c.shared)
			t.Setenv("CI", c.ci)
			path, r := find(t, c.name)
			if r.skipped != c.skipped || r.failed != c.failed {
				t.Errorf("skipped %t, failed %t", r.skipped, r.failed)
			}
			if want := filepath.Join(folder, "data", "here"); !c.skipped && !c.failed && path != want {
				t.Errorf("got %s, want %s", path, want)
			}
		})
	}
}

func TestTheFolderIsBesideTheCheckout(t *testing.T) {
	checkout, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sibling(t), filepath.Join(filepath.Dir(checkout), "shared"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
