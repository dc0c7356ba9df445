package site

import (
	"fmt"
	"slices"
	"strings"

	"touchline/shared/openapi"
)

// field is a line of the tree that shows a body.
type field struct {
	Name, Kind, Text string
	Fields           []field // what is in it
}

// schemas are those of a document.
type schemas struct{ *openapi.Document }

func (all schemas) named(name string) *openapi.Schema { return all.Components.Schemas.At(name) }

const refPrefix = "#/components/schemas/"

// fields are what is in a value of a schema. above are the names of the schemas
// that it is in: one that holds itself is not shown again.
func (all schemas) fields(s *openapi.Schema, above ...string) []field {
	if name, ok := strings.CutPrefix(s.Ref, refPrefix); ok {
		if slices.Contains(above, name) {
			return nil
		}
		return all.fields(all.named(name), append(above, name)...)
	}
	if s.Items != nil {
		return all.fields(s.Items, above...)
	}
	if kinds := notNull(s.OneOf); len(kinds) == 1 {
		return all.fields(kinds[0], above...)
	} else if len(kinds) > 1 {
		var out []field
		for _, k := range kinds {
			out = append(out, field{Kind: all.kind(k), Fields: all.fields(k, above...)})
		}
		return out
	}
	var out []field
	for name, p := range s.Properties.All() {
		f := field{Name: name, Kind: all.kind(p), Text: p.Description, Fields: all.fields(p, above...)}
		if !slices.Contains(s.Required, name) {
			f.Kind += ", may be missing"
		}
		out = append(out, f)
	}
	return out
}

func notNull(kinds []*openapi.Schema) []*openapi.Schema {
	return slices.DeleteFunc(slices.Clone(kinds), func(s *openapi.Schema) bool { return s.Type == "null" })
}

// kind says in words what a value is.
func (all schemas) kind(s *openapi.Schema) string {
	switch {
	case s.Ref != "":
		name := strings.TrimPrefix(s.Ref, refPrefix)
		if named := all.named(name); named.Items != nil {
			return all.kind(named)
		}
		return name
	case s.Items != nil:
		return "list of " + all.kind(s.Items)
	case len(s.OneOf) > 0:
		var kinds []string
		for _, k := range s.OneOf {
			kinds = append(kinds, all.kind(k))
		}
		return strings.Join(kinds, " or ")
	case s.Format == "date-time":
		return "time"
	}
	if several, ok := s.Type.([]string); ok {
		return strings.Join(several, " or ")
	}
	return fmt.Sprint(s.Type)
}

// bounds says which values a parameter takes.
func bounds(s *openapi.Schema) string {
	var said []string
	switch {
	case len(s.Enum) > 0:
		var values []string
		for _, v := range s.Enum {
			values = append(values, fmt.Sprint(v))
		}
		said = append(said, "One of "+strings.Join(values, ", ")+".")
	case s.Minimum != nil && s.Maximum != nil && *s.Maximum < 1_000_000:
		said = append(said, fmt.Sprintf("From %d to %d.", *s.Minimum, *s.Maximum))
	}
	if s.Default != nil {
		said = append(said, fmt.Sprintf("Default: %v.", s.Default))
	}
	return strings.Join(said, " ")
}
