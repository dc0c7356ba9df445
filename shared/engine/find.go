package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// ErrNotFound says that no engine is installed. The error that wraps it says
// what to do.
var ErrNotFound = errors.New("the embedded DynamoDB engine is not installed")

// Program is the file name of the engine.
const Program = "dynoxide"

// Find answers the path of the engine's program: the one that `make deps`
// installs under scripts/node_modules, searched upwards from the working
// folder and then from this program's own folder, else the one on PATH. The
// error wraps ErrNotFound.
func Find() (string, error) {
	wd, _ := os.Getwd()
	self, _ := os.Executable()
	return find([]string{wd, filepath.Dir(self)}, runtime.GOOS, runtime.GOARCH)
}

func find(folders []string, goos, goarch string) (string, error) {
	pkg := platformPackage(goos, goarch)
	for _, folder := range folders {
		if path, ok := findAbove(folder, pkg+"/"+Program); ok {
			return path, nil
		}
	}
	if path, err := exec.LookPath(Program); err == nil {
		return filepath.Abs(path)
	}
	if pkg != publishedPackage {
		return "", fmt.Errorf("%w: it is published for linux-x64 only, this is %s/%s: put a %s built for it on PATH, or use a DynamoDB endpoint of your own",
			ErrNotFound, goos, goarch, Program)
	}
	return "", fmt.Errorf("%w: run `make deps`, or put %s on PATH", ErrNotFound, Program)
}

// publishedPackage is the one platform for which the engine is on npm.
const publishedPackage = "@dynoxide/linux-x64"

// platformPackage names the npm package of a platform in npm's words.
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

// findAbove looks for a file that npm installed, named by a pattern of
// io/fs.Glob, in folder and every folder above it.
func findAbove(folder, pattern string) (string, bool) {
	if !filepath.IsAbs(folder) {
		return "", false
	}
	for {
		modules := filepath.Join(folder, "scripts", "node_modules")
		found, _ := fs.Glob(os.DirFS(modules), pattern) // only a bad pattern is an error
		for _, name := range found {
			path := filepath.Join(modules, filepath.FromSlash(name))
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path, true
			}
		}
		above := filepath.Dir(folder)
		if above == folder {
			return "", false
		}
		folder = above
	}
}
