package site

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
)

var update = flag.Bool("update", false, "rewrite the types of the Go kit")

// The golden file is compiled with the kit, whose tests decode every body with it.
func TestTheTypesOfTheGoKitAreThoseOfTheDocument(t *testing.T) {
	const file = "kits/types_test.go"
	want := typesBegin + string(goTypes())
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(strings.Split(string(text), "\n"), strings.Split(want, "\n")); diff != "" {
		t.Errorf("the types are stale: run `make golden`\n%s", diff)
	}
	if kit := (Kit{ID: "go", File: "touchline.go"}).text(""); !strings.Contains(string(kit), "func New(") || !strings.HasSuffix(string(kit), string(goTypes())) {
		t.Error("the kit does not end with its types")
	}
}

// goTypes are the types of the document's schemas but those of refusals. They are
// valid: a test compares them with a file that is compiled.
func goTypes() []byte {
	doc := openapi.New(groups.Table(endpoints.Deps{}), "")
	schemas := maps.Collect(doc.Components.Schemas.All())
	routes := map[string][]string{} // by schema: the routes whose data, or whose items, it is
	for _, path := range slices.Sorted(maps.Keys(maps.Collect(doc.Paths.All()))) {
		data := doc.Paths.At(path).Get.Responses.At("200").Content.At("application/json").Schema.Properties.At("data")
		switch {
		case data == nil: // a tree, which has a schema for the whole body
		case data.Items != nil:
			routes[refName(data.Items)] = append(routes[refName(data.Items)], "an item of "+path)
		default:
			routes[refName(data)] = append(routes[refName(data)], "the data of "+path)
		}
	}
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		s := schemas[name]
		if strings.HasSuffix(name, "Problem") || s.Properties.At("data") != nil {
			continue
		}
		of := cmp.Or(strings.Join(routes[name], ", "), "a part of a body")
		fmt.Fprintf(&b, "\n// %s is %s.\ntype %s ", name, of, name)
		if list := s.Items; list != nil {
			fmt.Fprintf(&b, "[]%sItem\n\n// %sItem is one of its kinds: the fields of the others are nil.\ntype %sItem ", name, name, name)
			s = list
		}
		o := objectOf(s)
		if s.OneOf != nil {
			o = merged(schemas, s.OneOf)
		}
		o.fields(&b)
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		panic(err) // impossible: see above
	}
	return text
}

func refName(s *openapi.Schema) string { return strings.TrimPrefix(s.Ref, "#/components/schemas/") }

// object is an object's fields.
type object struct {
	properties map[string]*openapi.Schema
	required   []string
}

func objectOf(s *openapi.Schema) object { return object{maps.Collect(s.Properties.All()), s.Required} }

// merged is an object with the fields of several; what not all have is optional.
func merged(schemas map[string]*openapi.Schema, of []*openapi.Schema) object {
	out := object{properties: map[string]*openapi.Schema{}}
	count := map[string]int{}
	for _, ref := range of {
		for name, p := range schemas[refName(ref)].Properties.All() {
			if count[name]++; count[name] == 1 {
				out.properties[name] = p
			}
		}
	}
	for _, name := range schemas[refName(of[0])].Required {
		if count[name] == len(of) {
			out.required = append(out.required, name)
		}
	}
	return out
}

// names are the fields: those that are required in their order, then the others.
func (o object) names() []string {
	names := slices.Clone(o.required)
	for _, name := range slices.Sorted(maps.Keys(o.properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// fields writes a struct.
func (o object) fields(b *bytes.Buffer) {
	b.WriteString("struct {\n")
	for _, name := range o.names() {
		field := o.properties[name]
		kind, options := goType(field), ""
		if !slices.Contains(o.required, name) {
			options = ",omitempty"
			if kind[0] != '*' && kind[0] != '[' {
				kind = "*" + kind
			}
		}
		fmt.Fprintf(b, "%s %s `json:\"%s%s\"`", goName(name), kind, name, options)
		if field.Description != "" {
			fmt.Fprintf(b, " // %s", field.Description)
		}
		b.WriteByte('\n')
	}
	b.WriteString("}\n")
}

// goType is the type of a value.
func goType(s *openapi.Schema) string {
	if s.Ref != "" {
		return refName(s)
	}
	if len(s.OneOf) == 2 { // or null
		return "*" + goType(s.OneOf[0])
	}
	name, star := s.Type, ""
	if either, ok := s.Type.([]string); ok {
		name, star = either[0], "*"
	}
	switch name {
	case "array":
		return "[]" + goType(s.Items)
	case "object":
		var b bytes.Buffer
		objectOf(s).fields(&b)
		return star + strings.TrimSpace(b.String())
	case "string":
		if s.Format == "date-time" {
			return star + "time.Time"
		}
	}
	return star + map[any]string{"string": "string", "integer": "int", "number": "float64", "boolean": "bool"}[name]
}

// goName is a field's name in Go.
func goName(name string) string {
	name = strings.ToUpper(name[:1]) + name[1:]
	for from, to := range map[string]string{"Id": "ID", "Ids": "IDs"} {
		if strings.HasSuffix(name, from) {
			name = strings.TrimSuffix(name, from) + to
		}
	}
	return name
}
