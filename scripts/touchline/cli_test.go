package main

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"touchline/scripts/touchline/protocol"
	"touchline/scripts/touchline/terminal"
)

// screen is a terminal at which a test runs command lines.
type screen struct {
	*terminal.Screen
	data string // the --data-dir of commands that name no database; empty: none
}

func newTerminal(env map[string]string) *screen { return &screen{Screen: terminal.NewScreen(env)} }

// onData are the command lines with the folder of the terminal's data, where they name
// no other database.
func (t *screen) onData(args []string) []string {
	if t.data == "" || slices.ContainsFunc(args, func(arg string) bool { return namesDatabase.MatchString(arg) }) || !worksOnData.MatchString(strings.Join(args, " ")) {
		return args
	}
	return append(args[:len(args):len(args)], "--data-dir="+t.data)
}

var (
	namesDatabase = regexp.MustCompile(`^--(data-dir|stack|aws|dynamodb-endpoint)\b`)
	worksOnData   = regexp.MustCompile(`^(backup|check|console|doctor|explain-table|export|import|keys|loads|logs|restore|score|serve|undo|upgrade|usage|why)\b`)
)

// run runs a command line and returns its exit code; the output of an earlier
// one is forgotten.
func (t *screen) run(args ...string) int {
	t.Output.Reset()
	t.Errors.Reset()
	return run(context.Background(), t.onData(args), &t.Terminal)
}

// succeed runs a command line that must not fail and returns its output.
func (t *screen) succeed(tb testing.TB, args ...string) string {
	tb.Helper()
	if code := t.run(args...); code != exitOK {
		tb.Fatalf("touchline %s: exit %d: %s", strings.Join(args, " "), code, t.Errors.String())
	}
	return t.Output.String()
}

// prints runs a command line that must not fail, and prints something.
func (t *screen) prints(tb testing.TB, want string, args ...string) {
	tb.Helper()
	if out := t.succeed(tb, args...); !strings.Contains(out, want) {
		tb.Errorf("touchline %s: %q is not in: %s%s", strings.Join(args, " "), want, out, t.Errors.String())
	}
}

// fails runs a command line that ends with a code, and says something on standard error.
func (t *screen) fails(tb testing.TB, code int, says string, args ...string) {
	tb.Helper()
	if got := t.run(args...); got != code || !strings.Contains(t.Errors.String(), says) {
		tb.Errorf("touchline %s: exit %d, and %q is not in: %s", strings.Join(args, " "), got, says, t.Errors.String())
	}
}

func TestWrongCallsEndWithTwoAndSayWhatHelps(t *testing.T) {
	signer := map[string]string{protocol.SecretVariable: "s"}
	tests := []struct {
		name string
		args string
		env  map[string]string
		says string
	}{
		{"no command", "", nil, `"touchline --help"`},
		{"unknown command", "fly", nil, "fly"},
		{"unknown flag", "serve --adr x", nil, "--adr"},
		{"serve no picture", "serve --photo nobody.png", nil, "--photo"},
		{"serve behind no address", "serve --trusted-proxy proxy", nil, "--trusted-proxy"},
		{"serve without failures", "serve --failure-limit 0", nil, "--failure-limit"},
		{"serve without requests", "serve --rate-limit 0", nil, "--rate-limit must be from 1 to"},
		{"import with loads for ever", "import --keep-loads 4000 x", nil, "--keep-loads must be from 1 to 3650"},
		{"loads that nobody keeps", "import --keep-loads 0 x", nil, "--keep-loads must be from 1 to 3650"},
		{"a dry run that keeps loads", "import --keep-loads 9 --dry-run x", nil, "--keep-loads is for an import that is made"},
		{"serve with loads for ever", "serve --keep-loads 4000", nil, "--keep-loads must be from 1 to 3650"},
		{"a kind without standard input", "import --as matches DIR", nil, "name it with -"},
		{"get without a path", "get", nil, "<path>"},
		{"keys without a command", "keys", nil, "create"},
		{"keys create without an organization", "keys create --all-scopes", nil, "--organization"},
		{"keys create with an unknown scope", "keys create --organization o --scope teams:write", nil, "--scope: unknown scope"},
		{"keys create that has ended", "keys create --organization o --expires 2026-03-14T14:59:59Z", nil, "--expires"},
		{"keys create with a date for a time", "keys create --organization o --expires 2027-01-01", nil, "want one such as 2027-01-01T00:00:00Z"},
		{"keys create with a quota that never works", "keys create --organization o --monthly-quota 0", nil, "would never work"},
		{"a stack and an address", "keys list --stack dev --dynamodb-endpoint http://127.0.0.1:1", nil, "can't be used together"},
		{"a stack whose name cannot be", "keys list --stack dev_1", nil, "--stack"},
		{"a region of no AWS", "keys list --region eu-central-1", nil, "--stack"},
		{"a profile of no AWS", "get --key-id k --profile prod /v1/ping", signer, "--stack"},
		{"a folder and a stack", "keys list --data-dir d --stack dev", nil, "can't be used together"},
		{"a database that is no address", "keys list --dynamodb-endpoint localhost", nil, "no address"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			term := newTerminal(tt.env)
			args := strings.Fields(tt.args)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "|", " ")
			}
			term.fails(t, exitUsage, "", args...)
			if !strings.Contains(term.Errors.String(), tt.says) || !strings.Contains(term.Errors.String(), "--help") {
				t.Errorf("%q does not say %q and how to get help", term.Errors.String(), tt.says)
			}
			if term.Output.Len() > 0 {
				t.Errorf("standard output: %s", term.Output.String())
			}
		})
	}
}

func TestEveryCommandHasHelpWithAnExampleAndIsInTheReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	must(t, err)
	for _, command := range newParser(t.Context(), &newTerminal(nil).Terminal).Model.Leaves(true) {
		path := strings.TrimPrefix(command.FullPath(), "touchline ")
		if !strings.Contains(command.Detail, "Example") || !strings.Contains(command.Detail, "    touchline "+path) {
			t.Errorf("no example of %s in its help: %s", path, command.Detail)
		}
		if first, _, _ := strings.Cut(path, " "); !strings.Contains(string(readme), "`touchline "+first) {
			t.Errorf("README.md does not have %s", path)
		}
	}
}

// A variable of the shell that is not set must not turn a command that was meant
// for a deployment on this machine.
func TestAFlagWithoutAValueIsUsage(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"import", "--stack", "", dir}, {"import", "--dynamodb-endpoint=", dir},
		{"keys", "list", "--stack", ""}, {"keys", "revoke", "--stack=", "tk_1"}, {"keys", "list", "--region", "", "--stack=dev"},
		{"why", "--stack=", someRequest}, {"why", "--log=", someRequest},
	} {
		term := newTerminal(nil)
		term.fails(t, exitUsage, "is empty", args...)
	}
}

func TestHelpOfACommand(t *testing.T) {
	if help, flag := newTerminal(nil).succeed(t, "help", "keys", "create"), newTerminal(nil).succeed(t, "keys", "create", "--help"); help != flag {
		t.Error(help)
	}
	if help := newTerminal(nil).succeed(t, "help"); !strings.Contains(help, "serve") {
		t.Error(help)
	}
}

// TestTheVersionIsPrinted on standard output, with the program's name: what make
// was told, or what Go knows.
func TestTheVersionIsPrinted(t *testing.T) {
	kept := built
	defer func() { built = kept }()
	for given, want := range map[string]string{"v1.2.3": `^touchline v1\.2\.3 go`, "": `^touchline \S+ go`} {
		built = given
		if out := newTerminal(nil).succeed(t, "--version"); !regexp.MustCompile(want).MatchString(out) || !strings.HasSuffix(out, "\n") {
			t.Errorf("%q", out)
		}
	}
}
