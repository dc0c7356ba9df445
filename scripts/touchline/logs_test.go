package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"touchline/scripts/touchline/logs"
	"touchline/shared/accesslog"
)

// requestLine is a line of a request with a number.
func requestLine(n, status int, key string) string {
	return fmt.Sprintf(`{"time":"2026-03-14T10:00:00Z","level":"INFO","msg":"request","requestId":"r%d","method":"GET","route":"/v1/ping","keyId":%q,"status":%d}`+"\n", n, key, status)
}

func TestLogsShowsTheLastRequestsThatAreAskedFor(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, logs.Former(logs.FileName)), requestLine(1, 200, "a")+requestLine(2, 404, "a"))
	writeFile(t, filepath.Join(dir, logs.FileName), "no line\n"+requestLine(3, 401, "b")+requestLine(4, 200, "b")+requestLine(5, 500, "a")[:40])
	shown := func(flags ...string) string {
		var ids []string
		for text := range strings.Lines(newTerminal(nil).succeed(t, append([]string{"logs", "--data-dir=" + dir}, flags...)...)) {
			line, err := accesslog.Parse([]byte(text))
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			ids = append(ids, line.RequestID)
		}
		return strings.Join(ids, " ")
	}
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{nil, "r1 r2 r3 r4"}, {[]string{"--limit=2"}, "r3 r4"}, {[]string{"--limit=0"}, "r1 r2 r3 r4"},
		{[]string{"--status=404"}, "r2"}, {[]string{"--status=4xx"}, "r2 r3"}, {[]string{"--organization=none"}, ""},
		{[]string{"--since=2026-03-14T10:00:00Z"}, "r1 r2 r3 r4"}, {[]string{"--until=2026-03-14T10:00:00Z"}, ""}, {[]string{"--since=1h"}, ""}, {[]string{"--since=6h"}, "r1 r2 r3 r4"},
		{[]string{"--refused"}, "r2 r3"}, {[]string{"--key=a"}, "r1 r2"}, {[]string{"--refused", "--key=b"}, "r3"},
	} {
		if got := shown(tt.flags...); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.flags, got, tt.want)
		}
	}
	for _, tt := range []struct {
		flag string
		code int
	}{{"--key=c", exitFailed}, {"--key=a b", exitUsage}, {"--status=40", exitUsage}, {"--status=abc", exitUsage}, {"--since=yesterday", exitUsage}, {"--until=-1h", exitUsage}} {
		newTerminal(nil).fails(t, tt.code, "", "logs", "--data-dir="+dir, tt.flag)
	}
	if out := newTerminal(nil).succeed(t, "logs", "--data-dir="+dir, "-n1"); out != requestLine(4, 200, "b") {
		t.Error(out)
	}
	newTerminal(nil).fails(t, exitFailed, "", "logs", "--data-dir="+t.TempDir())
}

func TestHelpOfACommand(t *testing.T) {
	if help, flag := newTerminal(nil).succeed(t, "help", "keys", "create"), newTerminal(nil).succeed(t, "keys", "create", "--help"); help != flag {
		t.Error(help)
	}
	if help := newTerminal(nil).succeed(t, "help"); !strings.Contains(help, "seed") {
		t.Error(help)
	}
}
