package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/requests"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/terminal/terminaltest"
)

// lineAbout is a line of the log about a key, at a time, refused by a check or not (0).
func lineAbout(key, at string, check int) string {
	return fmt.Sprintf(`{"time":%q,"level":"INFO","msg":"request","requestId":"0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11","keyId":%q,"check":%d,"status":200}`+"\n", at, key, check)
}

func TestTheLastUseIsReadFromTheLogAndNoted(t *testing.T) {
	term := keeper(t)
	a, b, idle := create(t, term, "--all-scopes"), create(t, term, "--all-scopes"), create(t, term, "--all-scopes")
	dir := t.TempDir()
	write := func(name string, lines ...string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(requests.Former(logs.FileName, 1), lineAbout(a.ID, "2026-03-09T10:00:00Z", 0), lineAbout(b.ID, "2026-03-08T23:59:59Z", 15))
	write(logs.FileName, lineAbout(a.ID, "2026-03-12T10:00:00Z", 17), "no line\n",
		lineAbout(a.ID, "2026-03-14T10:00:00Z", 10), lineAbout(b.ID, "2026-03-14T10:00:00Z", 11), // not authenticated: D1
		lineAbout(b.ID, "2026-03-13T10:00:00Z", 0)[:60])
	var days map[string]string
	if err := json.Unmarshal([]byte(term.succeed(t, "keys", "used", "--json", "--data-dir", dir)), &days); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{a.ID: "2026-03-12", b.ID: "2026-03-08"}, days); diff != "" {
		t.Error(diff)
	}
	list := term.succeed(t, "keys", "list")
	for _, part := range []string{"USED", "2026-03-12", "2026-03-08", " -"} {
		if !strings.Contains(list, part) {
			t.Errorf("no %q in %s", part, list)
		}
	}
	if shown := term.succeed(t, "keys", "show", idle.ID); strings.Contains(shown, "last used") {
		t.Error(shown)
	}
	// A log that begins later takes no day back.
	write(logs.FileName, lineAbout(a.ID, "2026-03-10T10:00:00Z", 0))
	if err := os.Remove(filepath.Join(dir, requests.Former(logs.FileName, 1))); err != nil {
		t.Fatal(err)
	}
	if out := term.succeed(t, "keys", "used", "--data-dir", dir); out != a.ID+"  2026-03-12\n" {
		t.Error(out)
	}
	if code := term.run("keys", "used", "--data-dir", t.TempDir()); code != exitFailed || !strings.Contains(term.Errors.String(), "--log") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
}

func TestTheLogOfAnotherServerIsAFailure(t *testing.T) {
	term := keeper(t)
	ours := create(t, term)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, logs.FileName), lineAbout("tk_others", "2026-03-14T10:00:00Z", 0)+lineAbout(ours.ID, "2026-03-13T10:00:00Z", 0))
	if code := term.run("keys", "used", "--data-dir", dir); code != exitFailed || !strings.Contains(term.Errors.String(), "1 key of "+filepath.Join(dir, logs.FileName)+" not in table") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	if out := term.Output.String(); out != ours.ID+"  2026-03-13\n" {
		t.Errorf("noted %q", out)
	}
}

// While serve runs, its own log is read, whatever folder a command runs in.
func TestTheLogIsThatOfTheServeWhoseDatabaseIsUsed(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s := startServe(t, newTerminal(nil), "--data="+small(t), "--data-dir="+t.TempDir())
	s.get(t, "/v1/ping")
	t.Chdir(t.TempDir())
	other := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": s.DynamoDB})
	if out := other.succeed(t, "keys", "used"); !strings.HasPrefix(out, s.KeyID+"  ") {
		t.Errorf("got %q", out)
	}
}

func TestTheLastUseOnAWSIsAskedOfItsLogs(t *testing.T) {
	l := newLogs(t)
	tablesOf(t)
	term := newTerminal(nil)
	k := create(t, term, "--stack", "dev", "--all-scopes")
	l.lines = []string{lineAbout(k.ID, "2026-03-13T10:00:00Z", 0)}
	if out := term.succeed(t, "keys", "used", "--stack", "dev", "--since", "48h"); out != k.ID+"  2026-03-13\n" {
		t.Error(out)
	}
	query, _ := l.started["queryString"].(string)
	if !strings.Contains(query, "dedup keyId") || l.started["startTime"] != float64(terminaltest.Time.Add(-48*time.Hour).Unix()) {
		t.Errorf("asked %v", l.started)
	}
	l.refuse = "AccessDeniedException"
	if code := term.run("keys", "used", "--stack", "dev"); code != exitFailed || !strings.Contains(term.Errors.String(), "logs:StartQuery") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
}

func TestAQueryForUsesThatIsGivenUpIsStopped(t *testing.T) {
	l := newLogs(t)
	tablesOf(t)
	ctx, cancel := context.WithCancel(t.Context())
	l.statuses, l.looked = []string{"Running"}, cancel
	term := newTerminal(nil)
	if code := run(ctx, []string{"keys", "used", "--stack", "dev"}, &term.Terminal); code != exitFailed || !l.stopped {
		t.Errorf("exit %d, stopped %v: %s", code, l.stopped, term.Errors.String())
	}
}

func TestAQueryForUsesThatTakesTooLongIsExplained(t *testing.T) {
	l := newLogs(t)
	tablesOf(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	late := lateContext{ctx}
	l.statuses, l.looked = []string{"Running"}, func() { cancel(context.DeadlineExceeded) }
	term := newTerminal(nil)
	if code := run(late, []string{"keys", "used", "--stack", "dev"}, &term.Terminal); code != exitFailed || !strings.Contains(term.Errors.String(), "ask for less with --since") || !l.stopped {
		t.Errorf("exit %d, stopped %v: %s", code, l.stopped, term.Errors.String())
	}
}

// lateContext ends as if its deadline had passed.
type lateContext struct{ context.Context }

func (c lateContext) Err() error {
	if c.Context.Err() != nil {
		return context.DeadlineExceeded
	}
	return nil
}
