package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/loader"
)

func inCI() bool { return os.Getenv("CI") != "" }

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o750))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// importer is a terminal with data of its own, and a folder for a dataset.
func importer(t *testing.T) (*screen, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "set")
	return keeper(t), dir
}

func report(t *testing.T, out string) loader.Report {
	t.Helper()
	var r loader.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return r
}

func TestImportReportsWhatItDid(t *testing.T) {
	term, dir := importer(t)
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"o","type":"club","name":"FC"}`+"\n")
	writeFile(t, filepath.Join(dir, "teams.ndjson"), `{"id":"t","name":"FC","shortName":"FC","organizationId":"o"}`+"\n")
	writeFile(t, filepath.Join(dir, "players.ndjson"), `{"id":"a","name":"A","teamId":"t"}
{"id":"b","name":"B","teamId":"t"}
`)
	const players = 2
	dry := report(t, term.succeed(t, "import", "--dry-run", "--json", dir))
	if dry.Players.Created != players || dry.Entries == 0 || !dry.DryRun {
		t.Errorf("dry run: %+v", dry)
	}
	if first := report(t, term.succeed(t, "import", "--json", dir)); first.DryRun || first.Players.Created != players || first.Entries != dry.Entries {
		t.Errorf("first: %+v", first)
	}
	again := report(t, term.succeed(t, "import", "--json", dir))
	if again.Players.Unchanged != players || again.Entries != 0 {
		t.Errorf("again: %+v", again)
	}
	term.prints(t, "nothing to change", "import", dir)
	must(t, os.Remove(filepath.Join(dir, "players.ndjson")))
	if code := term.run("import", "--replace", dir); code != exitFailed || !strings.Contains(term.Errors.String(), "would remove 2 of 2 players (the dataset holds none)") ||
		!strings.Contains(term.Errors.String(), "--allow-deletes 2") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	term.fails(t, exitUsage, "--allow-deletes", "import", "--replace", "--good-part", dir)
	if replaced := report(t, term.succeed(t, "import", "--replace", "--allow-deletes=2", "--json", dir)); replaced.Players.Deleted != players {
		t.Errorf("replaced: %+v", replaced)
	}
}

func TestImportSaysWhatIsMissing(t *testing.T) {
	term, dir := importer(t)
	empty := t.TempDir()
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"the folder":   {[]string{"import", dir}, "is no dataset"},
		"the files":    {[]string{"import", empty}, "organizations.ndjson"},
		"the database": {[]string{"import", "--dynamodb-endpoint=http://127.0.0.1:1", empty}, "127.0.0.1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			term.fails(t, exitFailed, tt.says, tt.args...)
		})
	}
}

func TestWarningsAreShownAndStrictlyFaults(t *testing.T) {
	term, dir := importer(t)
	writeFile(t, filepath.Join(dir, "teams.ndjson"), `{"id":"t","name":"FC","shortName":"FC"}
{"id":"s","name":"spielfrei","shortName":"S"}
`)
	const warning = `teams.ndjson:2: name: is "spielfrei", which is no team: one that rests has no match, and a sum is no row`
	if code := term.run("import", "--strict", dir); code != exitFailed || !strings.Contains(term.Errors.String(), "\n"+warning) && !strings.HasPrefix(term.Errors.String(), warning) ||
		!strings.Contains(term.Errors.String(), "1 fault in "+dir) {
		t.Errorf("strictly: exit %d, %s", code, term.Errors.String())
	}
	out := term.succeed(t, "import", "--dry-run", dir)
	if !strings.Contains(out, "1 warning\n") || !strings.Contains(term.Errors.String(), "warning: "+warning) {
		t.Errorf("%s%s", out, term.Errors.String())
	}
	if r := report(t, term.succeed(t, "import", "--json", dir)); r.Warnings.String() != warning {
		t.Errorf("the report warns of %v", r.Warnings)
	}
}

// asksWhetherToShow hides the club of the team t and shows it again: an import and an undo
// ask first, and --strict refuses (D74).
func (t *screen) asksWhetherToShow(tb *testing.T, dir, teams string) {
	tb.Helper()
	club := filepath.Join(dir, "organizations.ndjson")
	line := func(more string) { writeFile(tb, club, `{"id":"o","type":"club","name":"FC"`+more+"}\n") }
	line("")
	writeFile(tb, teams, `{"id":"t","name":"FC","shortName":"FC","organizationId":"o"}`)
	t.succeed(tb, "import", "--yes", dir) // the team had neither club nor competition
	line(`,"visibility":"hidden"`)
	t.succeed(tb, "import", dir)
	line(`,"description":"x"`)
	if out := t.succeed(tb, "import", "--strict", dir); !strings.Contains(out, "organizations        1 stay hidden, as visibility does not say otherwise\n") {
		tb.Error(out)
	}
	const shows = "who was hidden:\n  organizations: 1 (o)\n  teams: 1 (t)\n"
	refused := func(says string, args ...string) {
		tb.Helper()
		t.In = strings.NewReader("n\n")
		if code := t.run(args...); code != exitFailed || !strings.Contains(t.Errors.String(), says) {
			tb.Errorf("%q: exit %d, %s", args, code, t.Errors.String())
		}
	}
	t.In = strings.NewReader("n\n")
	if code := t.run("undo"); code != exitFailed || !strings.Contains(t.Errors.String(), "0 created, 1 changed, 0 deleted") {
		tb.Errorf("an undo of the last: exit %d, %s", code, t.Errors.String())
	}
	t.In = strings.NewReader("y\n")
	t.succeed(tb, "undo")
	if code := t.run("undo", "0"); code != exitUsage || !strings.Contains(t.Errors.String(), "there is no load 0") {
		tb.Errorf("undo 0: exit %d, %s", code, t.Errors.String())
	}
	refused("this undo shows "+shows+"go on? [y/N]", "undo", "6")
	line(`,"visibility":"public"`)
	refused("this import shows "+strings.Replace(shows, "(o)", "(o), as they say", 1)+"go on? [y/N]", "import", dir)
	t.InTerminal = false
	refused("nobody can be asked here", "import", dir)
	refused("nobody can be asked here", "import", "--json", dir)
	t.InTerminal = true
	refused("shows hidden teams: t\n", "import", "--strict", dir)
	if out := t.succeed(tb, "undo", "--yes", "6"); !strings.Contains(out, "teams                1 shown that were hidden: t\n") {
		tb.Error(out)
	}
}

// An import that takes something away says what, and asks where a person is there.
func TestImportAsksBeforeItTakesSomethingAway(t *testing.T) {
	term, dir := importer(t)
	teams := filepath.Join(dir, "teams.ndjson")
	writeFile(t, teams, `{"id":"t","name":"FC","shortName":"FC","startingPoints":-3}`+"\n"+`{"id":"u","name":"SC","shortName":"SC"}`+"\n")
	term.succeed(t, "import", dir)
	writeFile(t, teams, `{"id":"t","name":"FC","shortName":"FC"}`+"\n"+`{"id":"u","deleted":true}`+"\n")
	const says = "this import takes away:\n  teams: 1 deleted\n  teams: startingPoints of 1\n"
	term.ErrTerminal = true
	term.InTerminal = true
	for _, answer := range []string{"", "\n", "n\n", "what\n"} {
		term.In = strings.NewReader(answer)
		if code := term.run("import", dir); code != exitFailed || !strings.Contains(term.Errors.String(), says+"go on? [y/N]") || !strings.Contains(term.Errors.String(), "nothing was changed") {
			t.Errorf("answer %q: exit %d, %s", answer, code, term.Errors.String())
		}
	}
	if out := term.succeed(t, "import", "--dry-run", dir); !strings.Contains(out, "1 lose startingPoints") || strings.Contains(term.Errors.String(), "go on?") {
		t.Errorf("a dry run: %s%s", out, term.Errors.String())
	}
	term.In = strings.NewReader("y\n")
	term.prints(t, "1 deleted", "import", dir)
	writeFile(t, teams, `{"id":"t","deleted":true}`)
	term.In = strings.NewReader("")
	if term.succeed(t, "import", "--yes", dir); strings.Contains(term.Errors.String(), "go on?") {
		t.Errorf("asked with --yes: %s", term.Errors.String())
	}
	writeFile(t, teams, `{"id":"t","name":"FC","shortName":"FC"}`)
	term.succeed(t, "import", dir)
	term.asksWhetherToShow(t, dir, teams)
	writeFile(t, teams, `{"id":"t","deleted":true}`)
	term.InTerminal = false
	if term.succeed(t, "import", dir); !strings.Contains(term.Errors.String(), "teams: 1 deleted") || strings.Contains(term.Errors.String(), "go on?") {
		t.Errorf("asked without a terminal: %s", term.Errors.String())
	}
	term.InTerminal, term.In = true, strings.NewReader("")
	match := func(goals string) {
		writeFile(t, filepath.Join(dir, "matches.ndjson"), `{"id":"m","status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"t","awayTeamId":"t2","score":{"home":`+goals+`,"away":0}}`)
	}
	match("1")
	writeFile(t, teams, `{"id":"t","name":"FC","shortName":"FC"}`+"\n"+`{"id":"t2","name":"SC","shortName":"SC"}`)
	term.succeed(t, "import", dir)
	match("2")
	term.fails(t, exitFailed, "matches: the score of 1 that are finished, for another\ngo on?", "import", dir)
}
