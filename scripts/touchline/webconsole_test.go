package main

import (
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
)

// startConsole starts a console of the terminal's data.
func startConsole(t *testing.T, term *screen) (address string, console *running) {
	t.Helper()
	console = term.start(t, "console", "--json")
	var ready struct{ URL string }
	console.ready(t, term, &ready)
	console.drain()
	return ready.URL, console
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
	beside.fails(t, exitFailed, "another touchline serve, or console,", "serve", "--addr=127.0.0.1:0")
}

// The console ends with the serve that has its data, and says so.
func TestTheConsoleEndsWithTheServeOfItsData(t *testing.T) {
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--docs-addr=off", "--data-dir="+t.TempDir())
	term := s.beside()
	address, console := startConsole(t, term)
	s.stop()
	jar, err := cookiejar.New(nil)
	must(t, err)
	client := &http.Client{Jar: jar}
	answer, err := client.Get(address) // logs in, and leads to a page of the data
	if err == nil {
		_ = answer.Body.Close()
	}
	if code := console.wait(); code != exitFailed || !strings.Contains(term.Errors.String(), "has ended: run it again") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
}
