package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// schema is a schema of the OpenAPI document, as far as the reference shows it.
type schema struct {
	Ref         string     `json:"$ref"`
	Type        any        `json:"type"` // a name, or a list of names
	Description string     `json:"description"`
	Format      string     `json:"format"`
	Minimum     *int       `json:"minimum"`
	Maximum     *int       `json:"maximum"`
	Default     any        `json:"default"`
	Enum        []any      `json:"enum"`
	OneOf       []*schema  `json:"oneOf"`
	Items       *schema    `json:"items"`
	Required    []string   `json:"required"`
	Properties  properties `json:"properties"`
}

// properties are the fields of an object in their order.
type properties []property

type property struct {
	name   string
	schema *schema
}

// UnmarshalJSON keeps the order, which a map would lose.
func (p *properties) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		s := &schema{}
		if err := d.Decode(s); err != nil {
			return err
		}
		*p = append(*p, property{fmt.Sprint(name), s})
	}
	return nil
}

// field is a line of the tree that shows a body.
type field struct {
	Name, Kind, Text string
	Fields           []field // what is in it
}

// schemas are those of the document that have names.
type schemas map[string]*schema

const refPrefix = "#/components/schemas/"

// fields are what is in a value of a schema. above are the names of the schemas
// that it is in: one that holds itself is not shown again.
func (all schemas) fields(s *schema, above ...string) []field {
	if name, ok := strings.CutPrefix(s.Ref, refPrefix); ok {
		if slices.Contains(above, name) {
			return nil
		}
		return all.fields(all[name], append(above, name)...)
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
	for _, p := range s.Properties {
		f := field{Name: p.name, Kind: all.kind(p.schema), Text: p.schema.Description, Fields: all.fields(p.schema, above...)}
		if !slices.Contains(s.Required, p.name) {
			f.Kind += ", may be missing"
		}
		out = append(out, f)
	}
	return out
}

func notNull(kinds []*schema) []*schema {
	return slices.DeleteFunc(slices.Clone(kinds), func(s *schema) bool { return s.Type == "null" })
}

// kind says in words what a value is.
func (all schemas) kind(s *schema) string {
	switch {
	case s.Ref != "":
		name := strings.TrimPrefix(s.Ref, refPrefix)
		if named := all[name]; named.Items != nil {
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
	if several, ok := s.Type.([]any); ok {
		var kinds []string
		for _, k := range several {
			kinds = append(kinds, fmt.Sprint(k))
		}
		return strings.Join(kinds, " or ")
	}
	return fmt.Sprint(s.Type)
}

// bounds says which values a parameter takes.
func (s *schema) bounds() string {
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
