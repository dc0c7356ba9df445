package openapi

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
)

type (
	inner struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	outer struct {
		inner
		C string `json:"c"`
	}
	twice struct {
		inner
		B string `json:"b"`
	}
	// Loop holds itself.
	Loop struct {
		Next *Loop   `json:"next"`
		All  []*Loop `json:"all"`
	}
	// Either is one of its fields.
	Either struct {
		Number int
		Text   string
		hidden bool
	}
	// Lists is one of its fields, each a list.
	Lists struct {
		Numbers []int
		Texts   []string
	}
	leftOut struct {
		Kept   string  `json:"kept,omitempty"`
		Zero   *string `json:"zero,omitzero"`
		Never  string  `json:"-"`
		hidden int
	}
	tagged struct {
		Length int      `json:"length" min:"-5" max:"5" doc:"How long."`
		Kind   string   `json:"kind" enum:"a,b"`
		Kinds  []string `json:"kinds" enum:"a,b"`
		Maybe  *string  `json:"maybe" enum:"a"`
	}
	opaque struct{ secret string }
	wild   struct {
		Value any `json:"value"`
	}
)

// MarshalJSON writes the field that is set.
func (e Either) MarshalJSON() ([]byte, error) {
	if e.hidden || e.Text != "" {
		return json.Marshal(e.Text)
	}
	return json.Marshal(e.Number)
}

// MarshalJSON writes the list that is set.
func (l Lists) MarshalJSON() ([]byte, error) {
	if l.Texts != nil {
		return json.Marshal(l.Texts)
	}
	return json.Marshal(l.Numbers)
}

// MarshalText writes nothing.
func (o opaque) MarshalText() ([]byte, error) { return []byte(o.secret), nil }

func TestSchemasOfTypes(t *testing.T) {
	const integer = `{"type":"integer","minimum":0}`
	tests := []struct {
		name  string
		value any
		want  string
		named string // component: its schema
	}{
		{"an id", sport.ID(""), `{"type":"string","pattern":"^[0-9a-f]{24}$"}`, ""},
		{"a set", sport.Men, `{"type":"string","enum":["men","women"]}`, ""},
		{"a time", time.Time{}, `{"type":"string","format":"date-time"}`, ""},
		{"a share", 0.5, `{"type":"number"}`, ""},
		{"a slice of pointers", []*int{}, `{"type":"array","items":` + integer + `}`, ""},
		{"a map", map[string]bool{}, `{"type":"object","additionalProperties":{"type":"boolean"}}`, ""},
		{"an embedded struct", outer{}, `{"$ref":"#/components/schemas/OpenapiOuter"}`,
			`{"type":"object","required":["a","b","c"],"properties":{"a":` + integer + `,"b":` + integer + `,"c":{"type":"string"}},"additionalProperties":false}`},
		{"a type that holds itself", Loop{}, `{"$ref":"#/components/schemas/Loop"}`,
			`{"type":"object","required":["next","all"],"properties":{"next":{"oneOf":[{"$ref":"#/components/schemas/Loop"},{"type":"null"}]},` +
				`"all":{"type":"array","items":{"$ref":"#/components/schemas/Loop"}}},"additionalProperties":false}`},
		{"one of several", Either{}, `{"$ref":"#/components/schemas/Either"}`, `{"oneOf":[` + integer + `,{"type":"string"}]}`},
		{"one of several lists", Lists{}, `{"$ref":"#/components/schemas/Lists"}`, `{"type":"array","items":{"oneOf":[` + integer + `,{"type":"string"}]}}`},
		{"fields that may be missing", leftOut{hidden: 1}, `{"$ref":"#/components/schemas/OpenapiLeftOut"}`,
			`{"type":"object","properties":{"kept":{"type":"string"},"zero":{"type":"string"}},"additionalProperties":false}`},
		{"tags", tagged{}, `{"$ref":"#/components/schemas/OpenapiTagged"}`,
			`{"type":"object","required":["length","kind","kinds","maybe"],"properties":{` +
				`"length":{"type":"integer","description":"How long.","minimum":-5,"maximum":5},"kind":{"type":"string","enum":["a","b"]},` +
				`"kinds":{"type":"array","items":{"type":"string","enum":["a","b"]}},` +
				`"maybe":{"type":["string","null"],"enum":["a",null]}},"additionalProperties":false}`},
		{"an envelope", route.Data[*bool]{}, `{"type":"object","required":["data"],"properties":{"data":{"type":"boolean"}},"additionalProperties":false}`, ""},
		{"a struct without a name", struct {
			A *bool `json:"a"`
		}{}, `{"type":"object","required":["a"],"properties":{"a":{"type":["boolean","null"]}},"additionalProperties":false}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c catalog
			s := c.of(reflect.TypeOf(tt.value))
			if diff := cmp.Diff(tt.want, text(t, s)); diff != "" {
				t.Error(diff)
			}
			if name, named := strings.CutPrefix(s.Ref, schemaPrefix); named {
				if diff := cmp.Diff(tt.named, text(t, c.schemas.values[name])); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := route.JSON(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTypesThatNoSchemaCanShowPanic(t *testing.T) {
	type Loop struct{ A int } // the name of another
	tests := map[string][]any{
		"two fields of one name":         {twice{}},
		"an interface":                   {wild{}},
		"its own form and no fields":     {opaque{}},
		"a set whose values are missing": {sport.Plan("")},
		"two types of one name":          {loopOfTheFile(), Loop{}},
	}
	for name, values := range tests {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			var c catalog
			for _, v := range values {
				c.of(reflect.TypeOf(v))
			}
		})
	}
}

func loopOfTheFile() any { return Loop{} }

// TestValueSetsAreComplete compares them with the constants of package sport.
func TestValueSetsAreComplete(t *testing.T) {
	constants := make(map[string][]string) // by type
	files, err := filepath.Glob("../sport/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || len(spec.Values) != 1 {
				return true
			}
			name, isName := spec.Type.(*ast.Ident)
			literal, isLiteral := spec.Values[0].(*ast.BasicLit)
			if isName && isLiteral && literal.Kind == token.STRING {
				value, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				constants[name.Name] = append(constants[name.Name], value)
			}
			return true
		})
	}
	compared := 0
	for set, values := range valueSets() {
		if set.PkgPath() != reflect.TypeFor[sport.ID]().PkgPath() {
			continue
		}
		compared++
		if diff := cmp.Diff(slices.Sorted(slices.Values(constants[set.Name()])), slices.Sorted(slices.Values(values))); diff != "" {
			t.Errorf("%v: %s", set, diff)
		}
	}
	if compared < 10 {
		t.Errorf("compared %d sets", compared)
	}
}

// TestProblemsHaveAllFieldsOfTheirBodies compares what the refusals add with the
// types that are written.
func TestProblemsHaveAllFieldsOfTheirBodies(t *testing.T) {
	d := build(groups.Table(endpoints.Deps{}), "")
	got := make(map[string]bool)
	for _, name := range d.Components.Schemas.names {
		if !strings.HasSuffix(name, "Problem") {
			continue
		}
		body := d.Components.Schemas.values[name].Properties.values["error"]
		for _, field := range body.Properties.names {
			got[field] = true
			for _, detail := range body.Properties.values[field].Properties.names {
				got[field+"."+detail] = true
			}
		}
	}
	want := make(map[string]bool)
	add := func(t reflect.Type, prefix string) {
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			want[prefix+name] = true
		}
	}
	add(reflect.TypeFor[problem.Body](), "")
	add(reflect.TypeFor[problem.Details](), "details.")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOpenSchemas(t *testing.T) {
	type sets struct {
		Kind  string    `json:"kind" enum:"a,b" doc:"Which."`
		Kinds []string  `json:"kinds" enum:"a,b"`
		Maybe *string   `json:"maybe" enum:"a"`
		Deep  []*Either `json:"deep"`
	}
	var c catalog
	c.of(reflect.TypeFor[sets]())
	s := c.schemas.values["OpenapiSets"]
	s.open(make(map[*Schema]bool))
	want := `{"type":"object","required":["kind","kinds","maybe","deep"],"properties":{` +
		`"kind":{"type":"string","description":"Which. Values so far: a, b.","x-extensible-enum":["a","b"]},` +
		`"kinds":{"type":"array","items":{"type":"string","description":"Values so far: a, b.","x-extensible-enum":["a","b"]}},` +
		`"maybe":{"type":["string","null"],"description":"Values so far: a.","x-extensible-enum":["a"]},` +
		`"deep":{"type":"array","items":{"$ref":"#/components/schemas/Either"}}}}`
	if diff := cmp.Diff(want, text(t, s)); diff != "" {
		t.Error(diff)
	}
}
