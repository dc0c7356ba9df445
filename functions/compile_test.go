package functions

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"touchline/shared/stack"
)

// tags are the build tags of functions (scripts/functions).
const tags = "lambda.norpc,nethttpomithttp2"

// compile compiles functions, named by their folders in the folder functions, as
// scripts/functions does, but for this machine. It returns a folder that has a
// program with the name of each.
func compile(t testing.TB, functions ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	arguments := []string{"build", "-tags", tags, "-trimpath", "-ldflags", "-s -w", "-o", folder + string(filepath.Separator)}
	for _, function := range functions {
		arguments = append(arguments, "touchline/functions/"+function)
	}
	runProgram(t, "go", arguments...)
	return folder
}

// deployed is a part of the environment of a function that serves requests: what follows
// from the memory that it has by default.
func deployed() []string {
	return []string{
		stack.VariableMemory + "=" + strconv.Itoa(stack.DefaultMemory),
		stack.VariableProcessors + "=" + strconv.Itoa(stack.Processors(stack.DefaultMemory)),
	}
}

// runProgram runs a program, which has to succeed.
func runProgram(t testing.TB, name string, arguments ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v: %s", name, arguments, err, out)
	}
}
