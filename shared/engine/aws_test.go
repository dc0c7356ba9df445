package engine

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// java is a script that is run in place of java.
func java(t *testing.T, script string) AWSOptions {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "java")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return AWSOptions{Java: path, Jar: filepath.Join(folder, "DynamoDBLocal.jar")}
}

func TestAWSEngineFaultsSayWhatToDo(t *testing.T) {
	tests := []struct {
		name string
		give AWSOptions
		is   error
		says string
	}{
		{"no java", AWSOptions{}, ErrNoJava, "Java 17"},
		{"java too old", java(t, "echo 'Error: java.lang.UnsupportedClassVersionError: x' >&2; exit 1"), ErrNoJava, "the installed one is older"},
		{"never a free port", java(t, "echo 'java.net.BindException: Address already in use' >&2; exit 1"), ErrAddressInUse, "already listens"},
		{"another failure", java(t, "echo 'Could not reserve enough space' >&2; exit 1"), errEnded, "enough space"},
		{"no engine", AWSOptions{Java: "java"}, ErrNotFound, "make test-aws-engine"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if tt.give.Java == "" {
				t.Setenv("PATH", t.TempDir())
			}
			e, err := StartAWS(t.Context(), tt.give)
			if err == nil {
				_ = e.Stop()
				t.Fatal("started")
			}
			if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v, want %v that says %q", err, tt.is, tt.says)
			}
		})
	}
}

// beginAWS starts AWS's engine. It is not installed with everything else, as
// dynoxide is: without it the test is skipped, unless TOUCHLINE_ENGINE=aws
// demands it.
func beginAWS(t *testing.T) *Engine {
	t.Helper()
	e, err := StartAWS(t.Context(), AWSOptions{})
	if (errors.Is(err, ErrNoJava) || errors.Is(err, ErrNotFound)) && os.Getenv("TOUCHLINE_ENGINE") != "aws" {
		t.Skipf("%v; make test-aws-engine runs it", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Stop() })
	return e
}

func TestAWSEngineAnswersOnceStartedAndEndsWhenStopped(t *testing.T) {
	e := beginAWS(t)
	if _, err := call(e.Endpoint, "CreateTable", createTable); err != nil {
		t.Error(err)
	}
	if err := e.Stop(); err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", strings.TrimPrefix(e.Endpoint, "http://")); err == nil {
		_ = c.Close()
		t.Error("something still listens")
	}
}
