// Package enginetest gives a test a DynamoDB engine of its own.
package enginetest

import (
	"errors"
	"os"
	"testing"

	"touchline/shared/engine"
)

// Start answers the endpoint URL of a fresh engine in memory that ends with
// the test. Without an engine the test is skipped, on a CI machine (the
// environment variable CI is set) it fails: there nothing may go untested.
// Any credentials and any region do.
func Start(t testing.TB) string {
	t.Helper()
	e, err := engine.Start(t.Context(), engine.Options{})
	if errors.Is(err, engine.ErrNotFound) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	})
	return e.Endpoint
}
