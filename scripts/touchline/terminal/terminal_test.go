package terminal_test

import (
	"testing"
	"testing/synctest"
	"time"

	"touchline/scripts/touchline/terminal"
)

func TestALineEveryThirtySecondsSaysHowFarItIs(t *testing.T) {
	for total, want := range map[int]string{
		100: "loading: 8 of 100, some 1m32s left\nloading: 38 of 100, some 1m2s left\nloading: 68 of 100, some 32s left\nloading: 98 of 100, some 2s left\n",
		0:   "loading: 8, for 8s so far\nloading: 38, for 38s so far\nloading: 68, for 1m8s so far\nloading: 98, for 1m38s so far\n",
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

// What says nothing for long is shown all the same.
func TestASilentStepIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := terminal.NewScreen(nil)
		term.Now = time.Now
		p := term.Steps()
		p.Say("reading", 0, 0)
		time.Sleep(9 * time.Second) // by the clock of this test
		p.Say("comparing", 0, 0)
		time.Sleep(2 * time.Minute)
		p.End()
		time.Sleep(2 * time.Minute)
		if got := term.Errors.String(); got != "reading, for 8s so far\ncomparing, for 29s so far\ncomparing, for 59s so far\ncomparing, for 1m29s so far\ncomparing, for 1m59s so far\n" {
			t.Error(got)
		}
	})
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
