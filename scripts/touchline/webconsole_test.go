package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
)

// startConsole starts a console of the terminal's data. wait waits for its end, and
// returns its exit code.
func startConsole(t *testing.T, term *screen) (address string, wait func() int) {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	out, in := io.Pipe()
	console := term.Terminal
	console.Out = in
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, term.onData([]string{"console", "--json"}), &console)
		_ = in.Close()
	}()
	lines := bufio.NewReader(out)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		t.Fatalf("never ready: %v: %s", err, term.Errors.String())
	}
	var ready struct{ URL string }
	must(t, json.Unmarshal(line, &ready))
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	wait = func() int {
		code := <-ended
		ended <- code
		return code
	}
	t.Cleanup(func() { end(); wait() })
	return ready.URL, wait
}

// A console where nothing serves begins with no data, and other commands work with them
// meanwhile.
func TestTheConsoleSharesTheData(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	term := newTerminal(nil)
	term.data = t.TempDir()
	startConsole(t, term)
	beside := newTerminal(nil)
	beside.data = term.data
	beside.succeed(t, "import", small(t))
	if code := beside.run("serve", "--addr=127.0.0.1:0"); code != exitFailed || !strings.Contains(beside.Errors.String(), "another touchline serve, or console,") {
		t.Errorf("a serve beside it: exit %d, %s", code, beside.Errors.String())
	}
}

// The console ends with the serve that has its data, and says so.
func TestTheConsoleEndsWithTheServeOfItsData(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--docs-addr=off", "--data-dir="+t.TempDir())
	term := s.beside()
	address, wait := startConsole(t, term)
	s.stop(t)
	jar, err := cookiejar.New(nil)
	must(t, err)
	client := &http.Client{Jar: jar}
	answer, err := client.Get(address) // logs in, and leads to a page of the data
	if err == nil {
		_ = answer.Body.Close()
	}
	if code := wait(); code != exitFailed || !strings.Contains(term.Errors.String(), "has ended: run it again") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
}
