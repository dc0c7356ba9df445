package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/loader/history"
)

func TestTheLastImportIsShownAndUndone(t *testing.T) {
	term, dir := importer(t)
	term.fails(t, exitFailed, "", "undo")
	file := filepath.Join(dir, "organizations.ndjson")
	writeFile(t, file, `{"id":"o","type":"club","name":"FC"}`+"\n")
	term.succeed(t, "import", dir)
	term.fails(t, exitFailed, "`touchline undo 1 --data-dir", "undo", "--yes") // which would leave nothing
	writeFile(t, file, `{"id":"o","type":"club","name":"SC"}`+"\n")
	term.succeed(t, "import", dir)

	if out := term.succeed(t, "loads"); !strings.Contains(out, "   2  ") || !strings.Contains(out, "0 created, 1 changed, 0 deleted") || strings.Count(out, "\n") != 2 {
		t.Error(out)
	}
	kept, change := "~ organization o: name changed", `~ organization o: name "FC" to "SC"`
	term.prints(t, kept, "loads", "2")
	var loads []history.Past
	if err := json.Unmarshal([]byte(term.succeed(t, "loads", "--json")), &loads); err != nil || len(loads) != 2 || loads[0].Report.Changes[0].String() != kept {
		t.Errorf("%+v, %v", loads, err)
	}
	term.fails(t, exitFailed, "not kept", "loads", "7")

	back := `~ organization o: name "SC" to "FC"`
	if out := term.succeed(t, "undo", "--dry-run", "--diff"); !strings.Contains(out, back) || !strings.Contains(out, "nothing was changed") {
		t.Error(out)
	}
	if out := term.succeed(t, "undo"); !strings.Contains(out, "load 2 of") || !strings.Contains(out, "is undone") {
		t.Error(out)
	}
	term.prints(t, "load 2 is undone already", "undo")
	if out := term.succeed(t, "undo", "--json"); out != `{"load":2}`+"\n" {
		t.Error(out)
	}
	term.prints(t, "undid load 2", "loads")
	if r := report(t, term.succeed(t, "import", "--dry-run", "--diff", "--json", dir)); len(r.Changes) != 1 || r.Changes[0].String() != change {
		t.Errorf("after the undo: %+v", r.Changes)
	}
}

// A record's history says what each import did with it; one is taken back whole, or not.
func TestAnEarlierImportIsUndone(t *testing.T) {
	term, dir := importer(t)
	file := filepath.Join(dir, "organizations.ndjson")
	for _, name := range []string{"FC", "SC"} {
		writeFile(t, file, `{"id":"o","type":"club","name":"`+name+`"}`+"\n"+`{"id":"p","type":"club","name":"`+name+` II"}`+"\n")
		term.succeed(t, "import", "--note", "named "+name, dir)
	}
	writeFile(t, file, `{"id":"o","type":"club","name":"O"}`+"\n")
	term.succeed(t, "import", dir)
	term.fails(t, exitFailed, "load 2 cannot be undone: changed since: organization o; nothing was changed", "undo", "2")
	if code := term.run("undo", "--json", "2"); code != exitFailed || !strings.Contains(term.Output.String(), `{"load":2,"changedSince":[{"kind":"organization","id":"`) || !strings.Contains(term.Output.String(), `"key":"o","name":"O"}]`) {
		t.Errorf("exit %d: %s", code, term.Output.String())
	}
	term.succeed(t, "undo", "3")
	if out := term.succeed(t, "undo", "2"); !strings.Contains(out, "load 2 of") || !strings.Contains(out, "is undone") {
		t.Error(out)
	}
	out := term.succeed(t, "loads", "--of", "o")
	for _, want := range []string{"~ organization o: name changed", "set  named SC", "~ organization o: name changed", "+ organization o"} {
		if before, rest, found := strings.Cut(out, want); !found {
			t.Errorf("%q is missing, or out of order, in %s%s", want, before, rest)
		} else {
			out = rest
		}
	}
	var found []struct{ Load history.Past }
	if err := json.Unmarshal([]byte(term.succeed(t, "loads", "--json", "--of", "p")), &found); err != nil || len(found) != 3 || found[1].Load.Note != "named SC" {
		t.Errorf("%+v, %v", found, err)
	}
	if code := term.run("loads", "--of", "q"); code != exitOK || !strings.Contains(term.Errors.String(), "no import that is kept changed q") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	term.fails(t, exitFailed, "load 77 is not kept", "undo", "77")
}

func TestAnErasedRecordIsLetBackOnlyIfThatIsSaid(t *testing.T) {
	term, dir := importer(t)
	file := filepath.Join(dir, "organizations.ndjson")
	writeFile(t, file, `{"id":"o","type":"club","name":"Quaxhaven"}`+"\n")
	term.succeed(t, "import", dir)
	writeFile(t, file, `{"id":"o","erase":true}`+"\n")
	term.succeed(t, "import", "--yes", dir)
	writeFile(t, file, `{"id":"o","type":"club","name":"FC"}`+"\n")
	term.fails(t, exitFailed, "organizations.ndjson:1: id: was erased on ", "import", dir)
	term.prints(t, "1 erased record let back\n", "import", "--allow-erased", "o", dir)
	term.prints(t, "1 created, 0 changed, 0 deleted, 1 erased record let back", "loads")
}

// What an import erased stays erased, and an undo of it says so, each time.
func TestTheUndoOfAnErasureSaysWhatStays(t *testing.T) {
	term, dir := importer(t)
	file := filepath.Join(dir, "organizations.ndjson")
	writeFile(t, file, `{"id":"o","type":"club","name":"FC"}`+"\n"+`{"id":"p","type":"club","name":"SC"}`)
	term.succeed(t, "import", dir)
	writeFile(t, file, `{"id":"o","erase":true}`)
	term.succeed(t, "import", "--yes", dir)
	for range 2 {
		if out := term.succeed(t, "undo", "2"); out != "load 2 is undone already: nothing to do\nwhat load 2 erased stays erased: 1 record (`touchline import --allow-erased KEY DATASET --data-dir "+term.data+"` lets one back)\n" {
			t.Error(out)
		}
	}
	writeFile(t, file, `{"id":"o","erase":true}`+"\n"+`{"id":"p","type":"club","name":"TSV"}`)
	term.succeed(t, "import", "--yes", dir)
	if out := term.succeed(t, "undo"); !strings.Contains(out, "what load 3 erased stays erased: 1 record") || !strings.Contains(out, "load 3 of") {
		t.Error(out)
	}
	term.prints(t, "load 3 is undone already", "undo", "3")
}
