package openapi_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
	"touchline/shared/problem"
	"touchline/shared/route"
)

var update = flag.Bool("update", false, "rewrite openapi.json, and the hash of a new version")

func table() *route.Table { return groups.Table(endpoints.Deps{}) }

func TestTheDocumentIsThatOfTheTable(t *testing.T) {
	got := openapi.JSON(table(), "")
	if *update {
		if err := os.WriteFile("openapi.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("openapi.json is stale: raise Version in document.go and run `make golden`\n%s", diff)
	}
}

func TestTheSameTableGivesTheSameBytes(t *testing.T) {
	first := openapi.JSON(table(), "")
	for range 5 {
		if string(openapi.JSON(table(), "")) != string(first) {
			t.Fatal("another document")
		}
	}
}

func TestTheDocumentIsValid(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.JSON(table(), ""))
	if err != nil {
		t.Fatal(err)
	}
	if !doc.IsOpenAPI31OrLater() {
		t.Errorf("version %s", doc.OpenAPI)
	}
	if err := doc.Validate(t.Context(), openapi3.EnableMultiError(), openapi3.EnableSchemaFormatValidation()); err != nil {
		t.Error(err)
	}
	ids := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method, o := range item.Operations() {
			if ids[o.OperationID] {
				t.Errorf("%s %s: another operation is called %s", method, path, o.OperationID)
			}
			ids[o.OperationID] = true
		}
	}
}

func TestEveryCodeOfTheContractIsThere(t *testing.T) {
	text := string(openapi.JSON(table(), ""))
	for _, code := range problem.Codes() {
		if !strings.Contains(text, `"`+string(code)+`"`) {
			t.Errorf("no %s", code)
		}
	}
}

// What the document says of each route its golden file holds, and that each has an example
// package endpoints/scripts.
func TestTheAddressIsThatOfTheServiceWhereItIsGiven(t *testing.T) {
	for base, want := range map[string]string{"": "{baseUrl}", "https://touchline.example/": "https://touchline.example"} {
		d := openapi.New(table(), base)
		if len(d.Servers) != 1 || d.Servers[0].URL != want || d.Servers[0].Variables.IsZero() != (base != "") {
			t.Errorf("%q: %+v", base, d.Servers)
		}
	}
}
