package main

import (
	"fmt"
	"os"
	"testing"
)

// TestMain keeps the tests away from the master key and the profiles of whoever
// runs them.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "touchline-test-")
	if err == nil {
		err = os.Setenv("XDG_CONFIG_HOME", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}
