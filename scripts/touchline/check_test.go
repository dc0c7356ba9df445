package main

import (
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// A check is silent after an import; it prints what somebody has deleted by hand,
// fails, and mends it.
func TestCheckPrintsDifferencesAndMends(t *testing.T) {
	term, dir := importer(t)
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"o","type":"federation","name":"F"}`+"\n")
	writeFile(t, filepath.Join(dir, "competitions.ndjson"), `{"id":"c","season":2025,"name":"C","organizationId":"o"}`+"\n")
	term.succeed(t, "import", dir)
	if out := term.succeed(t, "check"); !strings.Contains(out, "2 records") || !strings.Contains(out, "0 differences") {
		t.Errorf("after an import: %s", out)
	}
	key := records.TableKey(sport.IDFor(sport.KindCompetition, "c"), records.CurrentTag)
	must(t, term.database(t).Sports().Write(t.Context(), []store.Write{{Key: key}}))
	term.fails(t, exitFailed, "", "check")
	if out := term.succeed(t, "check", "--mend"); !strings.Contains(out, key.SK+" is missing") || !strings.Contains(out, "mended") {
		t.Errorf("mended: %s", out)
	}
	term.succeed(t, "check")
}

// A record that is gone is named, with what refers to it, until it is imported again.
func TestCheckNamesALostRecord(t *testing.T) {
	term, dir := importer(t)
	organization := filepath.Join(dir, "organizations.ndjson")
	writeFile(t, organization, `{"id":"o","type":"federation","name":"F"}`+"\n")
	writeFile(t, filepath.Join(dir, "competitions.ndjson"), `{"id":"c","season":2025,"name":"C","organizationId":"o"}`+"\n")
	term.succeed(t, "import", dir)
	id := sport.IDFor(sport.KindOrganization, "o")
	must(t, term.database(t).Sports().Write(t.Context(), []store.Write{{Key: records.OrganizationKey(id)}}))
	want := "organization " + string(id) + ` is lost: competition "c" refers to it`
	for _, args := range [][]string{{"check", "--mend"}, {"check"}} {
		if code := term.run(args...); code != exitFailed || !strings.Contains(term.Output.String(), want) {
			t.Errorf("%v: exit code %d, and:\n%s", args, code, &term.Output)
		}
	}
	term.succeed(t, "import", dir)
	term.succeed(t, "check")
}

func TestAbandonNeedsAnInterruptedImport(t *testing.T) {
	term, dir := importer(t)
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"o","type":"federation","name":"F"}`+"\n")
	for _, args := range [][]string{{"import"}, {"import", "--abandon", "--dry-run", dir}} {
		term.fails(t, exitUsage, "", args...)
	}
	term.fails(t, exitFailed, "", "import", "--abandon")
	term.succeed(t, "import", "--abandon", dir)
}
