package terminal_test

import (
	"bytes"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/terminal"
)

func TestProgressIsForAPersonWhoWaits(t *testing.T) {
	term, now := terminal.NewScreen(nil), terminal.ScreenTime
	term.Now, term.ErrTerminal = func() time.Time { return now }, true
	p := term.Steps()
	p.Say("working", 0, 10)
	p.Say("working", 1, 10)
	if term.Errors.Len() > 0 {
		t.Errorf("shown at once: %q", term.Errors.String())
	}
	now = now.Add(2 * time.Second)
	p.Say("working", 5, 10)
	p.End()
	if !strings.Contains(term.Errors.String(), "working") {
		t.Errorf("shown later: %q", term.Errors.String())
	}
}

func TestALogFileGetsALineEveryThirtySeconds(t *testing.T) {
	for total, want := range map[int]string{
		100: "loading: 30 of 100, some 1m10s left\nloading: 60 of 100, some 40s left\nloading: 90 of 100, some 10s left\n",
		0:   "loading: 30, for 30s so far\nloading: 60, for 1m0s so far\nloading: 90, for 1m30s so far\n",
	} {
		term := terminal.NewScreen(nil)
		now := terminal.ScreenTime
		term.Now = func() time.Time { return now }
		p := term.Steps()
		for n := range 100 {
			now = terminal.ScreenTime.Add(time.Duration(n) * time.Second)
			p.Say("loading", n, total)
		}
		p.End()
		if got := term.Errors.String(); got != want {
			t.Errorf("of %d:\n%s", total, got)
		}
	}
}

// Progress is shown when it is reported, not by anything that runs in the
// background.
func TestProgressEndsWithItsEnd(t *testing.T) {
	for name, total := range map[string]int{"a known total": 10, "none": 0} {
		term := terminal.NewScreen(nil)
		term.ErrTerminal = true
		now := terminal.ScreenTime
		term.Now = func() time.Time { return now }
		p := term.Steps()
		p.Say("reading", 0, total)
		now = now.Add(terminal.Patience)
		p.Say("reading", 3, total)
		p.End()
		if !strings.Contains(term.Errors.String(), "reading") {
			t.Errorf("%s: shown %q", name, term.Errors.String())
		}
	}
	var goroutines bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&goroutines, 2); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(goroutines.String(), "progressbar") {
		t.Error("one goes on")
	}
}

func TestJSONIsIndentedForAPerson(t *testing.T) {
	term := terminal.NewScreen(nil)
	term.OutTerminal = true
	if err := term.JSON(map[string]int{"a": 1}); err != nil || term.Output.String() != "{\n  \"a\": 1\n}\n" {
		t.Errorf("%q, %v", term.Output.String(), err)
	}
}

func TestALineIsForTheShellOfTheSystem(t *testing.T) {
	known, asked := terminal.Variable{Name: "KEY", Value: "it's"}, terminal.Variable{Name: "SECRET"}
	for _, c := range []struct {
		system, command, want string
		variables             []terminal.Variable
	}{
		{"linux", "touchline get", `KEY='it'\''s' touchline get`, []terminal.Variable{known}},
		{"darwin", "touchline get", `read -rs SECRET && export KEY='it'\''s' SECRET && touchline get`, []terminal.Variable{known, asked}},
		{"linux", "", `read -rs SECRET && export SECRET`, []terminal.Variable{asked}},
		{"windows", "touchline get", `$env:KEY = 'it''s'; $env:SECRET = [Net.NetworkCredential]::new('', (Read-Host -AsSecureString)).Password; & touchline get`, []terminal.Variable{known, asked}},
		{"windows", "", `$env:KEY = 'it''s'`, []terminal.Variable{known}},
	} {
		if got := terminal.Line(c.system, c.variables, c.command); got != c.want {
			t.Errorf("%s: %s, want %s", c.system, got, c.want)
		}
	}
}
