package openapi

import "slices"

// Schema is the part of JSON Schema 2020-12 that the document needs.
type Schema struct {
	Ref                  string           `json:"$ref,omitempty"`
	OneOf                []*Schema        `json:"oneOf,omitempty"`
	Type                 any              `json:"type,omitempty"` // a string, or []string
	Description          string           `json:"description,omitempty"`
	Format               string           `json:"format,omitempty"`
	Pattern              string           `json:"pattern,omitempty"`
	Enum                 []any            `json:"enum,omitempty"`
	Extensible           []any            `json:"x-extensible-enum,omitempty"` // values to which more may be added
	Const                any              `json:"const,omitempty"`
	Minimum              *int             `json:"minimum,omitempty"`
	Maximum              *int             `json:"maximum,omitempty"`
	Default              any              `json:"default,omitempty"`
	Items                *Schema          `json:"items,omitempty"`
	MaxItems             *int             `json:"maxItems,omitempty"`
	Required             []string         `json:"required,omitempty"`
	Properties           Ordered[*Schema] `json:"properties,omitzero"`
	AdditionalProperties *bool            `json:"additionalProperties,omitempty"` // nil: any
}

const (
	typeArray   = "array"
	typeBoolean = "boolean"
	typeInteger = "integer"
	typeNull    = "null"
	typeNumber  = "number"
	typeObject  = "object"
	typeString  = "string"
)

const schemaPrefix = "#/components/schemas/"

func reference(name string) *Schema { return &Schema{Ref: schemaPrefix + name} }

func arrayOf(items *Schema) *Schema { return &Schema{Type: typeArray, Items: items} }

// stringIn is a string with a set of values.
func stringIn[S ~string](values ...S) *Schema {
	s := &Schema{Type: typeString}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// newObject is an object without fields yet.
func newObject() *Schema { return &Schema{Type: typeObject, AdditionalProperties: new(bool)} }

// add adds a field that is always there.
func (s *Schema) add(name string, value *Schema) *Schema {
	s.Required = append(s.Required, name)
	return s.addOptional(name, value)
}

// addOptional adds a field that may be missing.
func (s *Schema) addOptional(name string, value *Schema) *Schema {
	s.Properties.set(name, value)
	return s
}

// orNull allows null, too.
func (s *Schema) orNull() *Schema {
	name, single := s.Type.(string)
	switch {
	case s.Ref != "" || !single:
		return &Schema{OneOf: []*Schema{s, {Type: typeNull}}}
	}
	s.Type = []string{name, typeNull}
	if s.Enum != nil {
		s.Enum = append(slices.Clone(s.Enum), nil)
	}
	return s
}
