package main

import (
	"bytes"
	"debug/elf"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
)

// TestTheSameSourceGivesTheSameAsset compiles a function in two folders, as if
// on two machines at two times: one of them has a repository with a commit, and
// an environment that affects compilers.
func TestTheSameSourceGivesTheSameAsset(t *testing.T) {
	plain, other := checkout(t), checkout(t)
	for _, arguments := range [][]string{
		{"init", "-q"}, {"add", "go.mod"},
		{"-c", "user.name=a", "-c", "user.email=a@club.example", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "x"},
	} {
		run(t, other, nil, "git", arguments...)
	}
	const architecture = "arm64"
	run(t, plain, []string{"GOFLAGS="}, filepath.Join("scripts", "functions"), architecture)
	run(t, other, []string{"GOFLAGS=-buildvcs=true", "GOARM64=v8.2", "CGO_ENABLED=1", "TZ=Asia/Tokyo"},
		"sh", "-c", `umask 077 && exec scripts/functions "$1"`, "sh", architecture)
	at := compiled("ping", architecture)
	first, second := read(t, plain, at), read(t, other, at)
	if !bytes.Equal(first, second) {
		t.Errorf("%d bytes and %d bytes differ", len(first), len(second))
	}
	for _, folder := range []string{plain, other} {
		info, err := os.Stat(filepath.Join(folder, at, "bootstrap"))
		if err != nil {
			t.Fatal(err)
		}
		// The archive keeps the mode; the hash of an asset ignores it.
		if mode := info.Mode(); mode != 0o755 {
			t.Errorf("Lambda cannot run what has the mode %v", mode)
		}
	}
	binary, err := elf.NewFile(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	if binary.Machine != elf.EM_AARCH64 || binary.Section(".symtab") != nil || binary.Section(".debug_info") != nil {
		t.Errorf("it is compiled for %s, or has its symbols", binary.Machine)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(other, at, "bootstrap"), later, later); err != nil {
		t.Fatal(err)
	}
	if a, b := hash(plain, at), hash(other, at); a != b || a == "" {
		t.Errorf("assets %s and %s", a, b)
	}
}

func hash(folder, at string) string {
	return *awscdk.FileSystem_Fingerprint(new(filepath.Join(folder, at)), nil)
}

func read(t *testing.T, folder, at string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(folder, at, "bootstrap"))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func run(t *testing.T, folder string, environment []string, name string, arguments ...string) {
	t.Helper()
	if strings.Contains(name, string(filepath.Separator)) {
		name = filepath.Join(folder, name)
	}
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir, command.Env = folder, append(os.Environ(), environment...)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
}

// checkout is a copy of the source of the function ping.
func checkout(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, part := range []string{"go.mod", "go.sum", "scripts/functions", "functions/ping", "shared"} {
		root := filepath.Join("..", filepath.FromSlash(part))
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			to := filepath.Join(folder, strings.TrimPrefix(path, ".."))
			if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
				return nil
			}
			return place(path, to)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func place(from, to string) error {
	raw, err := os.ReadFile(filepath.Clean(from))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
		return err
	}
	return os.WriteFile(to, raw, 0o700)
}
