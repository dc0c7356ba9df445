package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	root := t.TempDir()
	place := func(parts ...string) string {
		path := filepath.Join(append([]string{root}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	installed := place("repo", "scripts", "node_modules", "@dynoxide", "linux-x64", Program)
	foreign := place("arm", "scripts", "node_modules", "@dynoxide", "linux-arm64", Program)
	onPath := place("bin", Program)
	inside := filepath.Join(root, "repo", "shared", "deep")
	elsewhere := filepath.Join(root, "elsewhere")

	tests := []struct {
		name         string
		folders      []string
		path         string
		goos, goarch string
		want         string
		says         string
	}{
		{"in the folder", []string{filepath.Join(root, "repo")}, "", "linux", "amd64", installed, ""},
		{"in a folder above", []string{inside}, "", "linux", "amd64", installed, ""},
		{"above the program, not the working folder", []string{elsewhere, inside}, "", "linux", "amd64", installed, ""},
		{"installed before PATH", []string{inside}, filepath.Dir(onPath), "linux", "amd64", installed, ""},
		{"PATH", []string{elsewhere}, filepath.Dir(onPath), "linux", "amd64", onPath, ""},
		{"another platform's package", []string{filepath.Join(root, "arm")}, "", "linux", "arm64", foreign, ""},
		{"another platform finds no x64", []string{inside}, "", "darwin", "arm64", "", "linux-x64 only, this is darwin/arm64"},
		{"nowhere", []string{elsewhere, ""}, "", "linux", "amd64", "", "make deps"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PATH", tt.path)
			got, err := find(tt.folders, tt.goos, tt.goarch)
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
