package openapi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/problem"
	"touchline/shared/sport"
)

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
