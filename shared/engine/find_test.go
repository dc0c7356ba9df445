package engine

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// files creates empty programs and manifests below a folder.
type files struct {
	t    *testing.T
	root string
}

func (f files) place(parts ...string) string {
	f.t.Helper()
	path := filepath.Join(append([]string{f.root}, parts...)...)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o700); err != nil {
		f.t.Fatal(err)
	}
	return path
}

// checkout creates a checkout with the engine for a platform.
func (f files) checkout(name, platform string) (engine string) {
	f.t.Helper()
	f.place(name, "go.mod")
	f.place(name, "scripts", "package.json")
	return f.place(name, "scripts", "node_modules", "@dynoxide", platform, Program)
}

func TestFind(t *testing.T) {
	f := files{t, t.TempDir()}
	own := f.checkout("repo", "linux-x64")
	foreign := f.checkout("arm", "linux-arm64")
	f.place("planted", "scripts", "node_modules", "@dynoxide", "linux-x64", Program)
	onPath := f.place("bin", Program)
	at := func(parts ...string) string { return filepath.Join(append([]string{f.root}, parts...)...) }

	tests := []struct {
		name         string
		folder       string
		path         string
		goos, goarch string
		want         string
		says         string
	}{
		{"in the checkout", at("repo"), "", "linux", "amd64", own, ""},
		{"in a folder of the checkout", at("repo", "build", "deep"), "", "linux", "amd64", own, ""},
		{"installed before PATH", at("repo", "build"), filepath.Dir(onPath), "linux", "amd64", own, ""},
		{"PATH", at("elsewhere"), filepath.Dir(onPath), "linux", "amd64", onPath, ""},
		{"a folder that is no checkout", at("planted", "deep"), "", "linux", "amd64", "", "make deps"},
		{"another platform's package", at("arm"), "", "linux", "arm64", foreign, ""},
		{"another platform finds no x64", at("repo"), "", "darwin", "arm64", "", "linux-x64 only, this is darwin/arm64"},
		{"nowhere", at("elsewhere"), "", "linux", "amd64", "", "make deps"},
		{"no folder", "", "", "linux", "amd64", "", "make deps"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PATH", tt.path)
			got, err := find(tt.folder, tt.goos, tt.goarch)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if tt.want != "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want one that says %q", err, tt.says)
			}
		})
	}
}

func TestTheWorkingFolderIsIgnored(t *testing.T) {
	planted := t.TempDir()
	t.Chdir(planted)
	got, err := ownFolder(false)
	if err != nil || strings.HasPrefix(got, planted) || !filepath.IsAbs(got) {
		t.Errorf("the search begins at %s, %v", got, err)
	}
}

func TestAnEngineThatOthersMayWriteIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("access lists, not modes")
	}
	chmod := func(t *testing.T, path string, mode os.FileMode) {
		t.Helper()
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	for name, change := range map[string]func(t *testing.T, root, engine string){
		"written by a group":         func(t *testing.T, _, engine string) { chmod(t, engine, 0o720) },
		"written by all":             func(t *testing.T, _, engine string) { chmod(t, engine, 0o702) },
		"in a folder of a group":     func(t *testing.T, _, engine string) { chmod(t, filepath.Dir(engine), 0o770) },
		"in node_modules of all":     func(t *testing.T, root, _ string) { chmod(t, filepath.Join(root, "scripts", "node_modules"), 0o707) },
		"in a checkout of a group":   func(t *testing.T, root, _ string) { chmod(t, root, 0o770) },
		"led to by a link":           linkToWritable,
		"of another user":            giveAway(func(_, engine string) string { return engine }),
		"in another user's folder":   giveAway(func(_, engine string) string { return filepath.Dir(engine) }),
		"in another user's checkout": giveAway(func(root, _ string) string { return root }),
	} {
		t.Run(name, func(t *testing.T) {
			f := files{t, t.TempDir()}
			engine := f.checkout("repo", "linux-x64")
			root := filepath.Join(f.root, "repo")
			t.Setenv("PATH", "")
			if _, err := find(root, "linux", "amd64"); err != nil {
				t.Fatal(err)
			}
			change(t, root, engine)
			if _, err := find(root, "linux", "amd64"); !errors.Is(err, ErrUntrusted) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("on PATH", func(t *testing.T) {
		f := files{t, t.TempDir()}
		engine := f.place("bin", Program)
		t.Setenv("PATH", filepath.Dir(engine))
		chmod(t, filepath.Dir(engine), 0o775) // as Homebrew has it
		if _, err := find(f.root, "linux", "amd64"); err != nil {
			t.Error(err)
		}
		chmod(t, engine, 0o777)
		if _, err := find(f.root, "linux", "amd64"); !errors.Is(err, ErrUntrusted) {
			t.Errorf("got %v", err)
		}
	})
}

// linkToWritable replaces the engine by a link to a file that everybody may
// write.
func linkToWritable(t *testing.T, root, engine string) {
	t.Helper()
	target := files{t, filepath.Dir(root)}.place("shared", Program)
	if err := errors.Join(os.Chmod(target, 0o777), os.Remove(engine), os.Symlink(target, engine)); err != nil { //nolint:gosec // what is to be refused
		t.Fatal(err)
	}
}

// giveAway changes the owner of a path, which only root can.
func giveAway(path func(root, engine string) string) func(*testing.T, string, string) {
	return func(t *testing.T, root, engine string) {
		t.Helper()
		if os.Geteuid() != 0 {
			t.Skip("only root can change the owner of a file")
		}
		if err := os.Chown(path(root, engine), 65534, -1); err != nil {
			t.Fatal(err)
		}
	}
}
