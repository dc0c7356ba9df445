package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/loader"
)

func TestTheLastImportIsShownAndUndone(t *testing.T) {
	term, dir := importer(t)
	if code := term.run("undo"); code != exitFailed {
		t.Errorf("before any import: exit %d", code)
	}
	file := filepath.Join(dir, "organizations.ndjson")
	writeFile(t, file, `{"id":"o","type":"club","name":"FC"}`+"\n")
	term.succeed(t, "import", dir)
	writeFile(t, file, `{"id":"o","type":"club","name":"SC"}`+"\n")
	term.succeed(t, "import", dir)

	if out := term.succeed(t, "loads"); !strings.Contains(out, "   2  ") || !strings.Contains(out, "0 created, 1 changed, 0 deleted") || strings.Count(out, "\n") != 2 {
		t.Error(out)
	}
	change := `~ organization o: name "FC" to "SC"`
	if out := term.succeed(t, "loads", "2"); !strings.Contains(out, change) {
		t.Error(out)
	}
	var loads []loader.Past
	if err := json.Unmarshal([]byte(term.succeed(t, "loads", "--json")), &loads); err != nil || len(loads) != 2 || loads[0].Report.Changes[0].String() != change {
		t.Errorf("%+v, %v", loads, err)
	}
	if code := term.run("loads", "7"); code != exitFailed || !strings.Contains(term.Errors.String(), "not kept") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}

	back := `~ organization o: name "SC" to "FC"`
	if out := term.succeed(t, "undo", "--dry-run", "--diff"); !strings.Contains(out, back) || !strings.Contains(out, "nothing was changed") {
		t.Error(out)
	}
	if out := term.succeed(t, "undo"); !strings.Contains(out, "load 2 of") || !strings.Contains(out, "is undone") {
		t.Error(out)
	}
	if out := term.succeed(t, "undo"); !strings.Contains(out, "load 2 is undone already") {
		t.Error(out)
	}
	if out := term.succeed(t, "undo", "--json"); out != `{"load":2}`+"\n" {
		t.Error(out)
	}
	if out := term.succeed(t, "loads"); !strings.Contains(out, "undid load 2") {
		t.Error(out)
	}
	if r := report(t, term.succeed(t, "import", "--dry-run", "--diff", "--json", dir)); len(r.Changes) != 1 || r.Changes[0].String() != change {
		t.Errorf("after the undo: %+v", r.Changes)
	}
}

// A record's history says what each import did with it; one is taken back, or a part.
func TestAnEarlierImportIsUndoneInPart(t *testing.T) {
	term, dir := importer(t)
	file := filepath.Join(dir, "organizations.ndjson")
	for _, name := range []string{"FC", "SC"} {
		writeFile(t, file, `{"id":"o","type":"club","name":"`+name+`"}`+"\n"+`{"id":"p","type":"club","name":"`+name+` II"}`+"\n")
		term.succeed(t, "import", "--note", "named "+name, dir)
	}
	writeFile(t, file, `{"id":"q","type":"club","name":"Q"}`+"\n")
	term.succeed(t, "import", dir)
	if out := term.succeed(t, "undo", "2", "--only", "o"); !strings.Contains(out, "load 2 of") || !strings.Contains(out, "is undone in part") {
		t.Error(out)
	}
	out := term.succeed(t, "loads", "--of", "o")
	for _, want := range []string{"part of load 2 undone", `~ organization o: name "SC" to "FC"`, "set  named SC", `~ organization o: name "FC" to "SC"`, "+ organization o: FC"} {
		if before, rest, found := strings.Cut(out, want); !found {
			t.Errorf("%q is missing, or out of order, in %s%s", want, before, rest)
		} else {
			out = rest
		}
	}
	var found []struct{ Load loader.Past }
	if err := json.Unmarshal([]byte(term.succeed(t, "loads", "--json", "--of", "p")), &found); err != nil || len(found) != 2 || found[0].Load.Note != "named SC" {
		t.Errorf("%+v, %v", found, err)
	}
	if out := term.succeed(t, "loads", "--of", "fc ii"); !strings.Contains(out, "+ organization p: FC II") {
		t.Error(out)
	}
	if code := term.run("loads", "--of", "SC I"); code != exitOK || !strings.Contains(term.Errors.String(), "no import that is kept changed SC I; did you mean SC II?") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	if out := term.succeed(t, "undo", "2", "--only", "SC II", "--dry-run", "--diff"); !strings.Contains(out, `~ organization p: name "SC II" to "FC II"`) {
		t.Error(out)
	}
	if code := term.run("undo", "2", "--only", "SC Ii x"); code != exitFailed || !strings.Contains(term.Errors.String(), `load 2 did not change "SC Ii x"; did you mean SC II?`) {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	if code := term.run("undo", "2", "--only", "q"); code != exitFailed || !strings.Contains(term.Errors.String(), `load 2 did not change "q"`) {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	if code := term.run("undo", "--json", "2"); code != exitFailed || !strings.Contains(term.Output.String(), `{"load":2,"changedSince":[{"kind":"organization","id":"`) {
		t.Errorf("exit %d: %s", code, term.Output.String())
	}
	if code := term.run("undo", "77"); code != exitFailed || !strings.Contains(term.Errors.String(), "load 77 is not kept") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
}
