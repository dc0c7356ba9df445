// Package enginetest gives a test a DynamoDB engine of its own.
//
// The environment variable TOUCHLINE_ENGINE names the engine: dynoxide, which
// is the default, or aws for AWS's own DynamoDB Local. Dynoxide starts in 16 ms,
// so every test has a process of its own. AWS's takes a second, so the tests of
// one package share a process, and each has an access key of its own there,
// hence tables of its own. `make test-aws-engine` installs it; after that
//
//	TOUCHLINE_ENGINE=aws go test ./shared/keys
//
// runs one package on it.
package enginetest

import (
	"errors"
	"os"
	"testing"

	"touchline/shared/engine"
)

// Variable is the environment variable that names the engine.
const Variable = "TOUCHLINE_ENGINE"

// The values of Variable; empty is Dynoxide.
const (
	Dynoxide = "dynoxide"
	AWS      = "aws"
)

// Start returns the endpoint URL of a fresh engine in memory that ends with
// the test. Without an engine the test is skipped, on a CI machine (the
// environment variable CI is set) or where Variable asks for AWS's it fails:
// there nothing may go untested. It accepts any credentials and any region.
func Start(t testing.TB) string {
	t.Helper()
	switch name := os.Getenv(Variable); name {
	case "", Dynoxide:
	case AWS:
		return startAWS(t)
	default:
		t.Fatalf("%s is %q, want %s or %s", Variable, name, Dynoxide, AWS)
	}
	e, err := engine.Start(t.Context(), engine.Options{})
	if errors.Is(err, engine.ErrNotFound) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, e) })
	return e.Endpoint
}

func stop(t testing.TB, e *engine.Engine) {
	if err := e.Stop(); err != nil {
		t.Error(err)
	}
}
