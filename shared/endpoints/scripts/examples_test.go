package scripts

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
)

// examplesFile is what the documentation shows, and examplesScript the script
// that asks for it.
const (
	examplesFile   = "../../openapi/examples.json"
	examplesScript = "examples"
)

// exampleKey replaces the id of the key in an example, which is another one in
// each run.
const exampleKey = "tk_0123456789abcdefghij"

// collect keeps the answer of a step as the example of its route.
func (r *run) collect(t *testing.T, x Exchange) {
	path, _, _ := strings.Cut(x.Target, "?")
	o, _, ok := groups.Table(endpoints.Deps{}).Match(path)
	if !ok {
		t.Fatalf("no route %s", path)
	}
	if _, twice := r.examples[o.Path]; twice {
		t.Errorf("%s has two examples", o.Path)
	}
	body := bytes.ReplaceAll(x.Body, []byte(r.issued["example"].id), []byte(exampleKey))
	r.examples[o.Path] = openapi.Example{Target: x.Target, Body: body}
}

// compareExamples holds the examples of the documentation to what the service
// answers.
func (r *run) compareExamples(t *testing.T) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r.examples); err != nil {
		t.Fatal(err)
	}
	for o := range groups.Table(endpoints.Deps{}).All() {
		if _, there := r.examples[o.Path]; !there {
			t.Errorf("%s has no example", o.Path)
		}
	}
	if *update {
		if err := os.WriteFile(examplesFile, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(examplesFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text.String(), "\n")); diff != "" {
		t.Errorf("examples.json is stale: raise Version in package openapi, which shows them, and run `make golden`\n%s", diff)
	}
}
