package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchline/scripts/requests"
)

// requestLine is a line of a request with a number.
func requestLine(n, status int, key string) string {
	return fmt.Sprintf(`{"time":"2026-03-14T10:00:00Z","level":"INFO","msg":"request","requestId":"r%d","method":"GET","route":"/v1/ping","keyId":%q,"status":%d}`+"\n", n, key, status)
}

func TestLogsShowsTheLastRequestsThatAreAskedFor(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, logName+requests.Former), requestLine(1, 200, "a")+requestLine(2, 404, "a"))
	writeFile(t, filepath.Join(dir, logName), "no line\n"+requestLine(3, 401, "b")+requestLine(4, 200, "b")+requestLine(5, 500, "a")[:40])
	shown := func(flags ...string) string {
		var ids []string
		for line := range strings.Lines(newTerminal(nil).succeed(t, append([]string{"logs", "--data-dir=" + dir}, flags...)...)) {
			ids = append(ids, line[strings.LastIndex(line, " ")+1:len(line)-1])
		}
		return strings.Join(ids, " ")
	}
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{nil, "r1 r2 r3 r4"}, {[]string{"--limit=2"}, "r3 r4"}, {[]string{"--limit=0"}, "r1 r2 r3 r4"},
		{[]string{"--refused"}, "r2 r3"}, {[]string{"--key=a"}, "r1 r2"}, {[]string{"--refused", "--key=b"}, "r3"},
	} {
		if got := shown(tt.flags...); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.flags, got, tt.want)
		}
	}
	if out := newTerminal(nil).succeed(t, "logs", "--data-dir="+dir, "--json", "-n1"); out != requestLine(4, 200, "b") {
		t.Error(out)
	}
	if code := newTerminal(nil).run("logs", "--data-dir="+t.TempDir()); code != exitFailed {
		t.Errorf("without a log: exit %d", code)
	}
}

func TestLogsFollowsOverANewFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, logName)
	write := func(text string) {
		t.Helper()
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write(requestLine(1, 200, "a"))
	term := newTerminal(nil)
	l := &logsCommand{Limit: 0}
	tail := requests.Tail{Path: path}
	if _, err := l.before(&tail); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	tick, ended := make(chan time.Time), make(chan error)
	go func() { ended <- l.follow(ctx, &term.console, &tail, tick) }()
	tick <- testTime
	write(requestLine(2, 200, "a") + requestLine(3, 200, "a")[:30])
	tick <- testTime
	write(requestLine(3, 200, "a")[30:])
	tick <- testTime
	tick <- testTime // taken once the look before has ended
	write(requestLine(4, 200, "a"))
	if err := os.Rename(path, path+requests.Former); err != nil {
		t.Fatal(err)
	}
	write(requestLine(5, 200, "a"))
	tick <- testTime
	tick <- testTime
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(term.out.String()) {
		got = append(got, line[strings.LastIndex(line, " ")+1:len(line)-1])
	}
	if ids := strings.Join(got, " "); ids != "r2 r3 r4 r5" {
		t.Errorf("followed %s", ids)
	}
}

func TestVersionAndHelpOfACommand(t *testing.T) {
	if out := newTerminal(nil).succeed(t, "--version"); !strings.HasPrefix(out, "touchline ") || !strings.Contains(out, "go1.") {
		t.Error(out)
	}
	if help, flag := newTerminal(nil).succeed(t, "help", "keys", "create"), newTerminal(nil).succeed(t, "keys", "create", "--help"); help != flag {
		t.Error(help)
	}
	if help := newTerminal(nil).succeed(t, "help"); !strings.Contains(help, "seed") {
		t.Error(help)
	}
}

func TestJSONIsIndentedForAPerson(t *testing.T) {
	term := newTerminal(nil)
	term.OutTerminal = true
	if err := term.json(map[string]int{"a": 1}); err != nil || term.out.String() != "{\n  \"a\": 1\n}\n" {
		t.Errorf("%q, %v", term.out.String(), err)
	}
}
