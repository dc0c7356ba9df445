package logs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
)

func TestLogsFollowsOverANewFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	add(t, path, logLine(1))
	term := terminal.NewScreen(nil)
	l := &Command{Limit: 0}
	tail := Tail{Path: path}
	if _, err := l.before(&tail); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	tick, ended := make(chan time.Time), make(chan error)
	go func() { ended <- l.follow(ctx, &term.Terminal, &tail, tick) }()
	tick <- terminal.ScreenTime
	add(t, path, logLine(2)+logLine(3)[:30])
	tick <- terminal.ScreenTime
	add(t, path, logLine(3)[30:])
	tick <- terminal.ScreenTime
	tick <- terminal.ScreenTime // taken once the look before has ended
	add(t, path, logLine(4))
	must(t, os.Rename(path, Former(path)))
	add(t, path, logLine(5))
	tick <- terminal.ScreenTime
	tick <- terminal.ScreenTime
	cancel()
	must(t, <-ended)
	var got []string
	for line := range strings.Lines(term.Output.String()) {
		l, err := accesslog.Parse([]byte(line))
		if err != nil {
			t.Error(err)
		}
		got = append(got, l.RequestID)
	}
	if ids := strings.Join(got, " "); ids != "r2 r3 r4 r5" {
		t.Errorf("followed %s", ids)
	}
}

func TestFaultsAreShownAlsoWhereItIsQuiet(t *testing.T) {
	term := terminal.NewScreen(nil)
	w := &watcher{terminal: &term.Terminal, quiet: true}
	w.request(&accesslog.Line{Method: "GET", Status: 404, RequestID: "1"})
	w.request(&accesslog.Line{Method: "GET", Status: 503, RequestID: "2", Code: "serviceUnavailable", Cause: "table nonces: throttled",
		Check: 11, RefusedBy: "nonce", Why: accesslog.StoreFailed})
	got := term.Errors.String()
	if strings.Contains(got, "404") || !strings.Contains(got, "503 serviceUnavailable: nonce (storeFailed)") || !strings.Contains(got, "throttled") {
		t.Errorf("%s", got)
	}
}
