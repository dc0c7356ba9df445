package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/protocol"
)

// findEngine is the process of the engine that has a folder's data open; nil where
// there isn't one.
func findEngine(t *testing.T, data string) *os.Process {
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
	return nil
}

// TestTheLogIsOpenedAgainAtAHangup moves it away, as logrotate does.
func TestTheLogIsOpenedAgainAtAHangup(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
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
	s.stop(t)
	for _, name := range []string{file, file + ".moved"} {
		if text, err := os.ReadFile(name); err != nil || strings.Count(string(text), "\n") != 1 {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

// An engine that is killed is started again, and one that is killed again and
// again is not.
func TestServeFailsWhenItsEngineKeepsEnding(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	data := t.TempDir()
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--data-dir="+data)
	caller := newTerminal(map[string]string{protocol.SecretVariable: s.Secret})
	code := -1
	for code < 0 {
		select {
		case code = <-s.exited:
			continue
		default:
		}
		answered := caller.run("get", "--key-id="+s.KeyID, "--base-url="+s.BaseURL, "/v1/federations/"+s.Organization) == exitOK
		if p := findEngine(t, data); p != nil && answered {
			_ = p.Kill() // it may have ended
		}
	}
	s.exited <- code
	if n := strings.Count(s.term.Errors.String(), "it was started again"); n != 5 {
		t.Errorf("started again %d times", n)
	}
	if code != exitFailed || !strings.Contains(s.term.Errors.String(), "engine ended by itself") {
		t.Errorf("exit %d: %s", code, s.term.Errors.String())
	}
}
