package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// ErrNotFound says that no engine is installed. The error that wraps it says
// what to do.
var ErrNotFound = errors.New("the embedded DynamoDB engine is not installed")

// Program is the file name of the engine.
const Program = "dynoxide"

// ErrUntrusted says that somebody other than the user could have replaced the
// engine.
var ErrUntrusted = errors.New("the embedded DynamoDB engine is not run: others may write it")

// Find returns the path of the engine's program: the one that `make deps`
// installs under scripts/node_modules of the checkout that this program was
// built in, else the one on PATH. It ignores the working folder, which may be
// anybody's; only a test, whose program is built elsewhere, uses the checkout
// that it runs in. Errors wrap ErrNotFound or ErrUntrusted.
func Find() (string, error) {
	from, err := ownFolder(testing.Testing())
	if err != nil {
		return "", err
	}
	return find(from, runtime.GOOS, runtime.GOARCH)
}

// ownFolder is where the search for this program's checkout begins.
func ownFolder(inTest bool) (string, error) {
	if inTest {
		return os.Getwd()
	}
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	return filepath.Dir(self), nil
}

func find(folder, goos, goarch string) (string, error) {
	pkg := platformPackage(goos, goarch)
	if root, ok := checkout(folder); ok {
		if path, ok := installed(root, pkg+"/"+Program); ok {
			return path, trusted(path, root)
		}
	}
	if path, err := exec.LookPath(Program); err == nil {
		if path, err = filepath.Abs(path); err != nil {
			return "", err
		}
		return path, trusted(path, "")
	}
	if pkg != publishedPackage {
		return "", fmt.Errorf("%w: it is published for linux-x64 only, this is %s/%s: put a %s built for it on PATH, or use a DynamoDB endpoint of your own",
			ErrNotFound, goos, goarch, Program)
	}
	return "", fmt.Errorf("%w: run `make deps` in Touchline's checkout and start the program that `make build` puts there, or put %s on PATH", ErrNotFound, Program)
}

// publishedPackage is the one platform for which the engine is on npm.
const publishedPackage = "@dynoxide/linux-x64"

// platformPackage is the npm package for a platform.
func platformPackage(goos, goarch string) string {
	switch goarch {
	case "amd64":
		goarch = "x64"
	case "386":
		goarch = "ia32"
	}
	if goos == "windows" {
		goos = "win32"
	}
	return "@dynoxide/" + goos + "-" + goarch
}

// checkout is the nearest folder, from folder upwards, that holds a checkout of
// Touchline: the npm manifest of its tools next to a Go module.
func checkout(folder string) (string, bool) {
	if !filepath.IsAbs(folder) {
		return "", false
	}
	for {
		if isFile(filepath.Join(folder, "go.mod")) && isFile(filepath.Join(folder, "scripts", "package.json")) {
			return folder, true
		}
		above := filepath.Dir(folder)
		if above == folder {
			return "", false
		}
		folder = above
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// installed looks for a file that npm installed in a checkout; pattern is one of
// io/fs.Glob.
func installed(root, pattern string) (string, bool) {
	modules := filepath.Join(root, "scripts", "node_modules")
	found, _ := fs.Glob(os.DirFS(modules), pattern) // only a bad pattern is an error
	for _, name := range found {
		if path := filepath.Join(modules, filepath.FromSlash(name)); isFile(path) {
			return path, true
		}
	}
	return "", false
}
