package owner

import (
	"os"
	"path/filepath"
	"testing"
)

// A folder is removed by the next process once its own is gone, and not before; what belongs
// to nobody who claimed it stays.
func TestWhatAKilledProcessLeftIsRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	alive, release, err := Claim("claimed-")
	if err != nil {
		t.Fatal(err)
	}
	make := func(name string, mode os.FileMode, claimed bool) string {
		dir := filepath.Join(os.TempDir(), name)
		if err := os.Mkdir(dir, mode); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"names.csv", claimName}[:map[bool]int{false: 1, true: 2}[claimed]] {
			if err := os.WriteFile(filepath.Join(dir, file), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	killed, open, foreign := make("claimed-1", 0o700, true), make("claimed-2", 0o755, true), make("claimed-3", 0o700, false)
	link := filepath.Join(os.TempDir(), "claimed-4")
	if err := os.Symlink(make("elsewhere", 0o700, true), link); err != nil {
		t.Fatal(err)
	}
	_, _, err = Claim("claimed-")
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{alive: true, killed: false, open: true, foreign: true, filepath.Join(link, "names.csv"): true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(alive); err == nil {
		t.Error("a folder that was released is there")
	}
}
