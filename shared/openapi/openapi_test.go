package openapi_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
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

// written is the document after parsing its JSON.
type written struct {
	Info struct {
		Version string `json:"version"`
	} `json:"info"`
	Paths map[string]struct {
		Parameters []struct {
			Name string `json:"name"`
			In   string `json:"in"`
		} `json:"parameters"`
		Get, Head struct {
			Responses map[string]struct {
				Ref string `json:"$ref"`
			} `json:"responses"`
			Security []map[string][]string `json:"security"`
		}
	} `json:"paths"`
	Components struct {
		Schemas map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"schemas"`
		Responses map[string]any `json:"responses"`
	} `json:"components"`
}

func read(t *testing.T) written {
	t.Helper()
	var doc written
	if err := json.Unmarshal(openapi.JSON(table(), ""), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestEveryRouteIsThereWithItsParametersAndScopes(t *testing.T) {
	doc := read(t)
	routes := 0
	for o := range table().All() {
		routes++
		item, there := doc.Paths[o.Path]
		if !there {
			t.Errorf("%s is missing", o.Path)
			continue
		}
		var got, want []string
		for _, p := range item.Parameters {
			if p.In == "query" {
				got = append(got, p.Name)
			}
		}
		for _, p := range o.Params {
			want = append(want, p.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", o.Path, diff)
		}
		scopes := []string{}
		for _, s := range o.Scopes {
			scopes = append(scopes, string(s))
		}
		for _, method := range []struct{ Security []map[string][]string }{{item.Get.Security}, {item.Head.Security}} {
			want := []map[string][]string{{"key": scopes, "timestamp": {}, "nonce": {}, "signature": {}}}
			if diff := cmp.Diff(want, method.Security); diff != "" {
				t.Errorf("%s: %s", o.Path, diff)
			}
		}
	}
	if routes != len(doc.Paths) {
		t.Errorf("%d paths for %d routes", len(doc.Paths), routes)
	}
}

func TestRoutesRefuseWithWhatTheyCan(t *testing.T) {
	doc := read(t)
	always := []string{"200", "400", "401", "403", "429", "500", "503"}
	tests := []struct {
		path  string
		more  []string
		names map[string]string // status to component
	}{
		{"/v1/ping", nil, map[string]string{"403": "ForbiddenWithoutScope"}},
		{"/v1/{alias}/{id}", []string{"404"}, map[string]string{"403": "Forbidden"}},
		{"/v1/{alias}/{id}/tree", []string{"404"}, nil},
		{"/v1/{alias}/{id}/associations", []string{"404", "422"}, map[string]string{"422": "ScopeTooLarge"}},
		{"/v1/{alias}/{id}/clubs", []string{"404", "422"}, map[string]string{"422": "ScopeTooLarge"}},
		{"/v1/{alias}/{id}/competitions", []string{"404", "422"}, map[string]string{"422": "ScopeTooLarge"}},
		{"/v1/{alias}/{id}/teams", []string{"404", "422"}, map[string]string{"422": "ScopeTooLarge"}},
		{"/v1/{alias}/{id}/players", []string{"404", "422"}, map[string]string{"422": "PlayersScopeTooLarge"}},
		{"/v1/tournaments/{id}/teams", []string{"404"}, nil},
		{"/v1/matches/{id}/events", []string{"404"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			want := slices.Sorted(slices.Values(append(tt.more, always...)))
			for i, responses := range []map[string]struct {
				Ref string `json:"$ref"`
			}{doc.Paths[tt.path].Get.Responses, doc.Paths[tt.path].Head.Responses} {
				var got []string
				for status, r := range responses {
					got = append(got, status)
					if name := tt.names[status]; name != "" {
						name = "#/components/responses/" + name + []string{"", "OnHead"}[i]
						if r.Ref != name {
							t.Errorf("%s is %s", status, r.Ref)
						}
					}
				}
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
		})
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

// Whether an example is as its schema says, the linter looks at.
func TestEveryRouteHasAnExampleAndIsCalledInEveryLanguage(t *testing.T) {
	var doc struct {
		Paths map[string]struct {
			Parameters []struct {
				Name, In string
				Example  any
			}
			Get struct {
				Responses map[string]struct {
					Content map[string]struct{ Example map[string]any }
				}
				CodeSamples []struct{ Lang, Label, Source string } `json:"x-codeSamples"`
			}
		}
		Components struct {
			Responses map[string]struct {
				Content map[string]struct {
					Examples map[string]struct {
						Value struct {
							Error struct{ Code, Message string }
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(openapi.JSON(table(), "https://touchline.example/"), &doc); err != nil {
		t.Fatal(err)
	}
	examples := openapi.Examples()
	for o := range table().All() {
		item := doc.Paths[o.Path]
		if len(item.Get.Responses["200"].Content["application/json"].Example) == 0 {
			t.Errorf("%s has no example", o.Path)
		}
		path, _, _ := strings.Cut(examples[o.Path].Target, "?")
		if got, _, ok := table().Match(path); !ok || got.Path != o.Path {
			t.Errorf("the example of %s is %s", o.Path, path)
		}
		for _, p := range item.Parameters {
			if p.In == "path" && (p.Example == nil || !strings.Contains(path, p.Example.(string))) {
				t.Errorf("%s: %s is %v", o.Path, p.Name, p.Example)
			}
		}
		var languages []string
		for _, s := range item.Get.CodeSamples {
			languages = append(languages, s.Lang)
			if !strings.Contains(s.Source, path) || !strings.Contains(s.Source, "https://touchline.example") || strings.Contains(s.Source, "example/'") {
				t.Errorf("%s in %s: %s", o.Path, s.Label, s.Source)
			}
			if strings.Contains(s.Source, "limit=") && !strings.Contains(s.Source, "get") {
				t.Errorf("%s in %s: the kit sends the limit: %s", o.Path, s.Label, s.Source)
			}
		}
		if diff := cmp.Diff([]string{"bash", "python", "javascript", "php", "ruby", "java", "csharp", "go"}, languages); diff != "" {
			t.Errorf("%s: %s", o.Path, diff)
		}
	}
	met := map[string]bool{}
	for _, r := range doc.Components.Responses {
		for name, e := range r.Content["application/json"].Examples {
			if e.Value.Error.Code != name {
				t.Errorf("the example of %s is one of %s", name, e.Value.Error.Code)
			}
			met[name] = true
		}
	}
	for _, code := range problem.Codes() {
		if !met[string(code)] {
			t.Errorf("%s has no example", code)
		}
	}
}

func TestTheAddressIsThatOfTheServiceWhereItIsGiven(t *testing.T) {
	for base, want := range map[string]string{"": "{baseUrl}", "https://touchline.example/": "https://touchline.example"} {
		var doc struct {
			Servers []struct {
				URL       string
				Variables map[string]any
			}
		}
		if err := json.Unmarshal(openapi.JSON(table(), base), &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Servers) != 1 || doc.Servers[0].URL != want || (len(doc.Servers[0].Variables) > 0) != (base == "") {
			t.Errorf("%q: %+v", base, doc.Servers)
		}
	}
}
