// Package enginetest starts a DynamoDB engine for tests of the backend that is DynamoDB,
// and of functions. No program that is delivered uses one. An engine ends with the process
// that has started it, however that ends.
//
// The environment variable TOUCHLINE_ENGINE names the engine: dynoxide, the default,
// which starts in 16 ms, so that every test has its own process; or the address of AWS's
// own DynamoDB Local, in which each test has its own access key, and so its own tables.
// `make test-aws-engine` installs that one; after that
//
//	scripts/aws-engine go test ./shared/keys
//
// tests one package with it.
package enginetest

import (
	"os"
	"testing"
)

// Variable is the environment variable that names the engine.
const Variable = "TOUCHLINE_ENGINE"

// Dynoxide is a value of Variable, and the default.
const Dynoxide = "dynoxide"

// InMemory reports whether a test that counts no units is to have its tables in memory,
// not in an engine, which would take nine tenths of its time: unless Variable names an
// engine. `make test-aws-engine` has these tests in AWS's.
func InMemory() bool { return os.Getenv(Variable) == "" }

// Start returns the endpoint of a new, empty engine in memory, which ends with
// the test and accepts any credentials and any region. If there is no engine the
// test is skipped; it fails on a CI machine (the environment variable CI is set).
func Start(t testing.TB) string {
	t.Helper()
	switch name := os.Getenv(Variable); name {
	case "", Dynoxide:
	default:
		return startAWS(t, name)
	}
	return StartOn(t, "")
}

// StartOn returns the endpoint of dynoxide with its tables in the file at path, which
// outlives the test.
func StartOn(t testing.TB, path string) string {
	t.Helper()
	binary := dynoxide()
	if binary == "" {
		const missing = "the DynamoDB engine for tests is not installed: `make deps` does on linux-x64; elsewhere put a dynoxide built for it on PATH"
		if os.Getenv("CI") == "" {
			t.Skip(missing)
		}
		t.Fatal(missing)
	}
	endpoint, err := startDynoxide(t, binary, path)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint
}
