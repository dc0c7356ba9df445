package openapi

import "slices"

// schema is the part of JSON Schema 2020-12 that the document needs.
type schema struct {
	Ref                  string           `json:"$ref,omitempty"`
	OneOf                []*schema        `json:"oneOf,omitempty"`
	Type                 any              `json:"type,omitempty"` // a string, or several
	Description          string           `json:"description,omitempty"`
	Format               string           `json:"format,omitempty"`
	Pattern              string           `json:"pattern,omitempty"`
	Enum                 []any            `json:"enum,omitempty"`
	Extensible           []any            `json:"x-extensible-enum,omitempty"` // values to which more may be added
	Const                any              `json:"const,omitempty"`
	Minimum              *int             `json:"minimum,omitempty"`
	Maximum              *int             `json:"maximum,omitempty"`
	Default              any              `json:"default,omitempty"`
	Items                *schema          `json:"items,omitempty"`
	MaxItems             *int             `json:"maxItems,omitempty"`
	Required             []string         `json:"required,omitempty"`
	Properties           ordered[*schema] `json:"properties,omitzero"`
	AdditionalProperties any              `json:"additionalProperties,omitempty"` // closed, or a *schema
}

// closed is an additionalProperties of false, which omitempty would leave out.
type closed struct{}

// MarshalJSON writes false.
func (closed) MarshalJSON() ([]byte, error) { return []byte("false"), nil }

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

func reference(name string) *schema { return &schema{Ref: schemaPrefix + name} }

func arrayOf(items *schema) *schema { return &schema{Type: typeArray, Items: items} }

// stringIn is a string with a set of values.
func stringIn[S ~string](values ...S) *schema {
	s := &schema{Type: typeString}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// newObject is an object without fields yet.
func newObject() *schema { return &schema{Type: typeObject, AdditionalProperties: closed{}} }

// add adds a field that is always there.
func (s *schema) add(name string, value *schema) *schema {
	s.Required = append(s.Required, name)
	return s.addOptional(name, value)
}

// addOptional adds a field that may be missing.
func (s *schema) addOptional(name string, value *schema) *schema {
	s.Properties.set(name, value)
	return s
}

// orNull allows null, too.
func (s *schema) orNull() *schema {
	name, single := s.Type.(string)
	switch {
	case s.Ref != "" || !single:
		return &schema{OneOf: []*schema{s, {Type: typeNull}}}
	}
	s.Type = []string{name, typeNull}
	if s.Enum != nil {
		s.Enum = append(slices.Clone(s.Enum), nil)
	}
	return s
}
