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

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/serve"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/testdata/seed"
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

// An import that is killed when the file has so many bytes, again and again, is finished
// by the next one, and leaves what one that nobody disturbs does.
func TestAnImportThatIsKilledLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the demo five times: make test-all runs it")
	}
	term, dir := importer(t)
	_, err := seed.Write(dir, seed.Options{Demo: true, Now: terminal.ScreenTime})
	must(t, err)
	exported := func() map[string]string {
		t.Helper()
		to := filepath.Join(t.TempDir(), "out")
		term.succeed(t, "export", to)
		files := map[string]string{}
		entries, err := os.ReadDir(to)
		must(t, err)
		for _, e := range entries {
			files[e.Name()] = string(bytesOf(t, filepath.Join(to, e.Name())))
		}
		return files
	}
	term.succeed(t, "import", dir)
	want := exported()

	term.data = filepath.Join(t.TempDir(), "killed")
	path := filepath.Join(term.data, database.FileName)
	for _, size := range []int64{4 << 20, 8 << 20, 12 << 20} {
		killed, _ := process(t, "import", "--data-dir="+term.data, dir)
		ended := make(chan struct{})
		go func() { _ = killed.Wait(); close(ended) }()
		for over := false; !over; runtime.Gosched() {
			if info, err := os.Stat(path); err == nil && info.Size() >= size {
				over = true
			}
			select {
			case <-ended:
				over = true
			default:
			}
		}
		_ = killed.Process.Kill()
		<-ended
	}
	term.succeed(t, "import", dir)
	if diff := cmp.Diff(want, exported()); diff != "" {
		t.Error(diff)
	}
	term.succeed(t, "check")
	if found := examined(t, term.succeed(t, "doctor", "--json"))["file"]; found.State != fine {
		t.Errorf("%+v", found)
	}
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
