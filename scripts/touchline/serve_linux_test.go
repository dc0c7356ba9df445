package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// engineOf finds the process of the engine that has a folder's data open.
func engineOf(t *testing.T, data string) *os.Process {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		line, err := os.ReadFile(f)
		if err != nil || !strings.Contains(string(line), "--db-path\x00"+data) {
			continue // another's, or gone by now
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	t.Fatal("no engine")
	return nil
}

func TestServeFailsWhenItsEngineEnds(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	data := t.TempDir()
	s := startServe(t, newTerminal(nil), "--data-dir="+data)
	if err := engineOf(t, data).Kill(); err != nil {
		t.Fatal(err)
	}
	code := <-s.exited
	s.exited <- code
	if code != exitFailed || !strings.Contains(s.term.Errors.String(), "engine ended by itself") {
		t.Errorf("exit %d: %s", code, s.term.Errors.String())
	}
}
