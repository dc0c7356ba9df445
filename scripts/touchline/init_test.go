package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/dataset"
)

// What init writes can be imported as it is, without a fault or a warning.
func TestTheExampleOfInitIsImported(t *testing.T) {
	for _, flags := range [][]string{{}, {"--ndjson"}} {
		t.Run(strings.Join(append(flags, "init"), " "), func(t *testing.T) {
			term, dir := importer(t)
			out := term.succeed(t, append([]string{"init", dir}, flags...)...)
			if !strings.Contains(out, "touchline import --offline") {
				t.Error(out)
			}
			if out := term.succeed(t, "import", "--offline", "--strict", "--replace", dir); !strings.Contains(out, "15 records read: 0 faults, 0 warnings, 0 references") {
				t.Error(out)
			}
			if r := report(t, term.succeed(t, "import", "--strict", "--json", dir)); r.Matches.Created != 3 || r.Players.Created != 4 {
				t.Errorf("%+v", r)
			}
			if code := term.run("init", dir); code != exitFailed || !strings.Contains(term.Errors.String(), "not empty") {
				t.Errorf("over it: exit %d: %s", code, term.Errors.String())
			}
		})
	}
}

// The forms have fields of the format only, and README.md says what each is.
func TestTheFormsHaveTheFieldsOfTheFormat(t *testing.T) {
	page, err := beginnings.ReadFile("beginning/README.md")
	must(t, err)
	for _, kind := range dataset.FileNames() {
		name := strings.TrimSuffix(kind, ".ndjson") + ".csv"
		header, err := beginnings.ReadFile("beginning/templates/" + name)
		must(t, err)
		columns := strings.Split(strings.TrimSpace(string(header)), ",")
		row := strings.Repeat("x,", len(columns)-1) + "x"
		_, err = dataset.Read(t.Context(), fstest.MapFS{name: &fstest.MapFile{Data: append(header, row...)}}, dataset.Options{})
		if faults, ok := errors.AsType[*dataset.Faults](err); !ok || strings.Contains(faults.Error(), "not a known field") {
			t.Errorf("%s: %v", name, err)
		}
		for _, column := range columns {
			first, rest, nested := strings.Cut(column, ".")
			if !strings.Contains(string(page), column) && !(nested && first == "rows" && rest != "") {
				t.Errorf("README.md does not say what %s of %s is", column, name)
			}
		}
	}
}

func TestAFolderIsCheckedWithoutADatabase(t *testing.T) {
	term := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"})
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"liga","type":"federation","name":"L"}`+"\n")
	teams := filepath.Join(dir, "teams.csv")
	writeFile(t, teams, "id,name,shortName,organizationId\nt,T,T,lign\n")
	if out := term.succeed(t, "import", "--offline", dir); !strings.Contains(out, "1 reference to what is not in the folder") ||
		!strings.Contains(term.Errors.String(), `did you mean "liga"?`) {
		t.Errorf("%s%s", out, term.Errors.String())
	}
	if code := term.run("import", "--offline", "--replace", dir); code != exitFailed || !strings.Contains(term.Errors.String(), `teams.csv:2: organizationId`) {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	must(t, os.Remove(teams))
	writeFile(t, filepath.Join(dir, "players.csv"), "id,name,teamId,number\np,P,t,nine\n")
	if code := term.run("import", "--offline", "--json", dir); code != exitFailed {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	var r struct {
		Records int
		Faults  *dataset.Faults
	}
	if err := json.Unmarshal(term.Output.Bytes(), &r); err != nil || r.Records != 1 || len(r.Faults.List) != 1 || r.Faults.List[0].Field != "number" {
		t.Errorf("%s, %v", term.Output.String(), err)
	}
	if code := term.run("import", "--offline", "--good-part", dir); code != exitUsage {
		t.Errorf("with --good-part: exit %d", code)
	}
}
