package runtimetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Tags are the build tags of functions (scripts/functions).
const Tags = "lambda.norpc,nethttpomithttp2"

// Compile compiles functions, named by their folders in the folder functions, as
// scripts/functions does, but for this machine. It returns a folder that has a
// program with the name of each.
func Compile(t testing.TB, functions ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	arguments := []string{"build", "-tags", Tags, "-trimpath", "-ldflags", "-s -w", "-o", folder + string(filepath.Separator)}
	for _, function := range functions {
		arguments = append(arguments, "touchline/functions/"+function)
	}
	command := exec.CommandContext(t.Context(), "go", arguments...) //nolint:gosec // of tests
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go %q: %v: %s", arguments, err, out)
	}
	return folder
}
