package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
			if out := term.succeed(t, "import", "--offline", "--strict", "--replace", dir); !strings.Contains(out, "nothing was changed (--offline)") {
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

// README.md says what each column of the forms is, but for those of rules and rows, of
// which it names some.
func TestTheColumnsOfTheFormsAreExplained(t *testing.T) {
	term, dir := importer(t)
	term.succeed(t, "init", dir)
	page, err := os.ReadFile(filepath.Join(dir, "README.md"))
	must(t, err)
	forms, err := filepath.Glob(filepath.Join(dir, "templates", "*.csv"))
	if err != nil || len(forms) != len(dataset.FileNames()) {
		t.Fatalf("%v, %v", forms, err)
	}
	for _, form := range forms {
		text, err := os.ReadFile(form)
		must(t, err)
		header, _, _ := strings.Cut(strings.TrimPrefix(string(text), "\ufeff"), "\n")
		if text, err := os.ReadFile(filepath.Join(dir, filepath.Base(form))); err == nil {
			if first, _, _ := strings.Cut(string(text), "\n"); !strings.HasPrefix(header, first+",") {
				t.Errorf("%s does not begin with what the example asks for, %s: %s", form, first, header)
			}
		}
		rare := false // what nobody types comes last
		for column := range strings.SplitSeq(header, ",") {
			first, _, _ := strings.Cut(column, ".")
			if is := slices.Contains([]string{"additionalParentIds", "formerNumbers", "plan"}, first); rare && !is {
				t.Errorf("%s has %s behind what nobody types", form, column)
			} else {
				rare = is
			}
		}
		for column := range strings.SplitSeq(header, ",") {
			first, _, nested := strings.Cut(column, ".")
			if !strings.Contains(string(page), column) && !(nested && (first == "rows" || first == "rules")) {
				t.Errorf("README.md does not say what %s of %s is", column, form)
			}
		}
	}
}

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
