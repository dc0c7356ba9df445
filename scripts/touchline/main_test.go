package main

import (
	"fmt"
	"os"
	"testing"
)

// asTouchline makes the test program the command, for tests that run what a
// message shows.
const asTouchline = "TOUCHLINE_TEST_RUNS_THE_COMMAND"

// folder is removed when all tests have ended.
var folder string

// TestMain keeps the tests away from the master key of whoever
// runs them.
func TestMain(m *testing.M) {
	if os.Getenv(asTouchline) != "" {
		main()
	}
	if os.Getenv(asGoKit) != "" {
		goKit(os.Args[1:])
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "touchline-test-")
	if err == nil {
		err = os.Setenv("XDG_CONFIG_HOME", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	folder = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}
