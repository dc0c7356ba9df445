package kits

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strings"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
)

// goSchema is a schema of the document, as far as bodies need it.
type goSchema struct {
	Ref         string               `json:"$ref"`
	Type        any                  `json:"type"`
	Description string               `json:"description"`
	Format      string               `json:"format"`
	OneOf       []*goSchema          `json:"oneOf"`
	Items       *goSchema            `json:"items"`
	Required    []string             `json:"required"`
	Properties  map[string]*goSchema `json:"properties"`
}

// goTypes are the types of the document's schemas but those of refusals. They are
// valid: a test compares them with a file that is compiled.
func goTypes() []byte {
	var doc struct {
		Paths map[string]struct {
			Get struct {
				Responses map[string]struct {
					Content map[string]struct{ Schema *goSchema }
				}
			}
		}
		Components struct{ Schemas map[string]*goSchema }
	}
	if err := json.Unmarshal(openapi.JSON(groups.Table(endpoints.Deps{}), ""), &doc); err != nil {
		panic(err) // impossible: it has just been written
	}
	routes := map[string][]string{} // by schema: the routes whose data, or whose items, it is
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		data := doc.Paths[path].Get.Responses["200"].Content["application/json"].Schema.Properties["data"]
		switch {
		case data == nil: // a tree, which has a schema for the whole body
		case data.Items != nil:
			routes[refName(data.Items)] = append(routes[refName(data.Items)], "an item of "+path)
		default:
			routes[refName(data)] = append(routes[refName(data)], "the data of "+path)
		}
	}
	var b bytes.Buffer
	schemas := doc.Components.Schemas
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		s := schemas[name]
		if strings.HasSuffix(name, "Problem") || s.Properties["data"] != nil {
			continue
		}
		of := cmp.Or(strings.Join(routes[name], ", "), "a part of a body")
		fmt.Fprintf(&b, "\n// %s is %s.\ntype %s ", name, of, name)
		if list := s.Items; list != nil {
			fmt.Fprintf(&b, "[]%sItem\n\n// %sItem is one of its kinds: the fields of the others are nil.\ntype %sItem ", name, name, name)
			s = list
		}
		if s.OneOf != nil {
			s = merged(schemas, s.OneOf)
		}
		s.fields(&b)
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		panic(err) // impossible: see above
	}
	return text
}

func refName(s *goSchema) string { return strings.TrimPrefix(s.Ref, "#/components/schemas/") }

// merged is an object with the fields of several; what not all have is optional.
func merged(schemas map[string]*goSchema, of []*goSchema) *goSchema {
	out := &goSchema{Properties: map[string]*goSchema{}}
	count := map[string]int{}
	for _, ref := range of {
		one := schemas[refName(ref)]
		for _, name := range one.names() {
			if count[name]++; count[name] == 1 {
				out.Properties[name] = one.Properties[name]
			}
		}
	}
	for _, name := range schemas[refName(of[0])].Required {
		if count[name] == len(of) {
			out.Required = append(out.Required, name)
		}
	}
	return out
}

// names are the fields: those that are required in their order, then the others.
func (s *goSchema) names() []string {
	names := slices.Clone(s.Required)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// fields writes a struct.
func (s *goSchema) fields(b *bytes.Buffer) {
	b.WriteString("struct {\n")
	for _, name := range s.names() {
		field := s.Properties[name]
		kind, options := field.goType(), ""
		if !slices.Contains(s.Required, name) {
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
func (s *goSchema) goType() string {
	if s.Ref != "" {
		return refName(s)
	}
	if len(s.OneOf) == 2 { // or null
		return "*" + s.OneOf[0].goType()
	}
	name, star := s.Type, ""
	if either, ok := s.Type.([]any); ok {
		name, star = either[0], "*"
	}
	switch name {
	case "array":
		return "[]" + s.Items.goType()
	case "object":
		var b bytes.Buffer
		s.fields(&b)
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
