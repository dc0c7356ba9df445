package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/serve"
)

// process starts the command in a process of its own.
func process(t *testing.T, args ...string) (c *exec.Cmd, out io.Reader) {
	t.Helper()
	c = exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asTouchline+"=1")
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return c, out
}

// A restore that is killed leaves either what was there or the backup, whole, and nothing that
// keeps the next one from its end.
func TestARestoreThatIsKilledLeavesOneOfBoth(t *testing.T) {
	term, set := keeper(t), small(t)
	exported := func() string {
		out := filepath.Join(t.TempDir(), "out")
		term.succeed(t, "export", out)
		return string(bytesOf(t, filepath.Join(out, "organizations.ndjson")))
	}
	term.succeed(t, "import", set)
	then, file, path := exported(), saved(t, term), filepath.Join(term.data, database.FileName)
	writeFile(t, filepath.Join(set, "organizations.ndjson"), `{"id":"club","patch":true,"name":"Since"}`)
	term.succeed(t, "import", set)
	now := exported()
	for _, reached := range []string{path + ".new", path + ".before-1", path + ".before-2"} {
		killed, _ := process(t, "restore", "--yes", "--data-dir="+term.data, file)
		ended := make(chan struct{})
		go func() { _ = killed.Wait(); close(ended) }()
		for over := false; !over; runtime.Gosched() {
			_, err := os.Stat(reached)
			select {
			case <-ended:
				over = true
			default:
				over = err == nil
			}
		}
		_ = killed.Process.Kill()
		<-ended
		if is := exported(); is != now && is != then {
			t.Errorf("killed once there was %s: %s", reached, is)
		}
	}
	term.succeed(t, "restore", "--yes", file)
	if is := exported(); is != then {
		t.Error(is)
	}
	term.succeed(t, "check")
}

// What a serve that is killed has said, it has kept; it is not taken for one that runs.
func TestAServeThatIsKilledLosesNothing(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	data := filepath.Join(t.TempDir(), "data")
	killed, out := process(t, "serve", "--json", "--quiet", "--docs-addr=off", "--addr=127.0.0.1:0", "--data="+small(t), "--data-dir="+data)
	line, err := bufio.NewReader(out).ReadBytes('\n')
	must(t, err)
	var first serve.ReadyReport
	must(t, json.Unmarshal(line, &first))
	var made struct{ KeyID, Secret string }
	beside := newTerminal(nil)
	beside.data = data
	must(t, json.Unmarshal([]byte(beside.succeed(t, "keys", "create", "--organization=club", "--json")), &made))
	must(t, killed.Process.Kill())
	_ = killed.Wait()

	looks := newTerminal(nil)
	looks.run("doctor", "--json", "--data-dir="+data)
	if found := examined(t, looks.Output.String()); found["file"].State != fine {
		t.Errorf("%+v", found)
	}
	again := startServe(t, newTerminal(nil), "--data-dir="+data)
	again.KeyID, again.Secret = made.KeyID, made.Secret
	if body := again.get(t, "/v1/ping"); !strings.Contains(body, made.KeyID) {
		t.Error(body)
	}
	if out := again.beside().succeed(t, "keys", "list"); !strings.Contains(out, first.KeyID) {
		t.Error(out)
	}
}
