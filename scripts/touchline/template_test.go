package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/dataset"
)

func TestTheTemplateIsADatasetWithoutFaults(t *testing.T) {
	term := newTerminal(nil)
	for _, name := range []string{"forms", "forms.xlsx", "forms.zip"} {
		path := filepath.Join(t.TempDir(), name)
		term.succeed(t, "template", path)
		if out := term.succeed(t, "import", "--offline", "--strict", "--replace", path); !strings.Contains(out, "nothing was changed (--offline)") {
			t.Errorf("%s: %s%s", name, out, term.Errors.String())
		}
	}
	some := filepath.Join(t.TempDir(), "some")
	term.succeed(t, "template", some, "Teams", "matches", "teams")
	if files, err := os.ReadDir(some); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
	if code := term.run("template", some+"2", "clubs"); code != exitUsage || !strings.Contains(term.Errors.String(), "clubs is no kind of record") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
}

func TestAFolderIsCheckedWithoutADatabase(t *testing.T) {
	term := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"})
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"liga","type":"federation","name":"L"}`+"\n")
	teams := filepath.Join(dir, "teams.csv")
	writeFile(t, teams, "id,name,shortName,organizationId\nt,T,T,lign\n")
	if code := term.run("import", "--offline", dir); code != exitFailed || !strings.Contains(term.Errors.String(), `teams.csv:2: organizationId: organization "lign" does not exist; did you mean "liga"?`) {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	must(t, os.Remove(teams))
	writeFile(t, filepath.Join(dir, "players.csv"), "id,name,teamId,number\np,P,t,nine\n")
	if code := term.run("import", "--offline", "--json", dir); code != exitFailed {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	var faults dataset.Faults
	if err := json.Unmarshal(term.Output.Bytes(), &faults); err != nil || len(faults.List) != 1 || faults.List[0].Field != "number" {
		t.Errorf("%s, %v", term.Output.String(), err)
	}
	if code := term.run("import", "--offline", "--stack", "prod", dir); code != exitUsage {
		t.Errorf("with --stack: exit %d", code)
	}
}
