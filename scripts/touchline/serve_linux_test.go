package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"touchline/scripts/touchline/logs"
)

// TestTheLogIsOpenedAgainAtAHangup moves it away, as logrotate does.
func TestTheLogIsOpenedAgainAtAHangup(t *testing.T) {
	data := t.TempDir()
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--data-dir="+data)
	file := filepath.Join(data, logs.FileName)
	s.get(t, "/v1/ping")
	must(t, os.Rename(file, file+".moved"))
	must(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
	for {
		if _, err := os.Stat(file); err == nil {
			break
		}
		runtime.Gosched() // the signal is on its way
	}
	s.get(t, "/v1/ping")
	s.stop()
	for _, name := range []string{file, file + ".moved"} {
		if text, err := os.ReadFile(name); err != nil || strings.Count(string(text), "\n") != 1 {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}
