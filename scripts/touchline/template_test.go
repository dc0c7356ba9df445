package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"touchline/shared/dataset"
)

func TestTheTemplateIsADatasetWithoutFaults(t *testing.T) {
	term := newTerminal(nil)
	for _, name := range []string{"forms", "forms.xlsx", "forms.zip"} {
		path := filepath.Join(t.TempDir(), name)
		term.succeed(t, "template", path)
		term.prints(t, "nothing was changed (--offline)", "import", "--offline", "--strict", "--replace", path)
	}
	some := filepath.Join(t.TempDir(), "some")
	term.succeed(t, "template", some, "Teams", "matches", "teams")
	if files, err := os.ReadDir(some); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
	term.fails(t, exitUsage, "clubs is no kind of record", "template", some+"2", "clubs")
}

func TestAFolderIsCheckedWithoutADatabase(t *testing.T) {
	term := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"})
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"liga","type":"federation","name":"L"}`+"\n")
	teams := filepath.Join(dir, "teams.csv")
	writeFile(t, teams, "id,name,shortName,organizationId\nt,T,T,lign\n")
	term.fails(t, exitFailed, `teams.csv:2: organizationId: organization "lign" does not exist; did you mean "liga"?`, "import", "--offline", dir)
	must(t, os.Remove(teams))
	writeFile(t, filepath.Join(dir, "players.csv"), "id,name,teamId,number\np,P,t,nine\n")
	term.fails(t, exitFailed, "", "import", "--offline", "--json", dir)
	var faults dataset.Faults
	if err := json.Unmarshal(term.Output.Bytes(), &faults); err != nil || len(faults.List) != 1 || faults.List[0].Field != "number" {
		t.Errorf("%s, %v", term.Output.String(), err)
	}
	term.fails(t, exitUsage, "", "import", "--offline", "--stack", "prod", dir)
}
