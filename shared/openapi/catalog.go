package openapi

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"path"
	"reflect"
	"strconv"
	"strings"

	"touchline/shared/sport"
)

// catalog turns the types of replies into schemas, and collects those with a
// name.
type catalog struct {
	schemas Ordered[*Schema]
	types   map[string]reflect.Type // by name in schemas
}

// of is the schema of a value of type t, not null.
func (c *catalog) of(t reflect.Type) *Schema {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s := known(t); s != nil {
		return s
	}
	switch t.Kind() {
	case reflect.Struct:
		return c.structure(t)
	case reflect.Slice, reflect.Array:
		return arrayOf(c.of(t.Elem()))
	case reflect.String:
		if t.PkgPath() == reflect.TypeFor[sport.ID]().PkgPath() {
			panic(fmt.Sprintf("openapi: %v has no values in valueSets", t))
		}
		return &Schema{Type: typeString}
	case reflect.Bool:
		return &Schema{Type: typeBoolean}
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: typeNumber}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &Schema{Type: typeInteger, Minimum: new(0)}
	}
	panic(fmt.Sprintf("openapi: a response cannot contain a %v", t))
}

// structure is the schema of a struct, inline or by reference.
func (c *catalog) structure(t reflect.Type) *Schema {
	name := componentName(t)
	if name == "" {
		return c.shape(t)
	}
	if other, there := c.types[name]; there && other != t {
		panic(fmt.Sprintf("openapi: %v and %v have the same name: rename one", other, t))
	}
	if !c.schemas.Has(name) {
		if c.types == nil {
			c.types = make(map[string]reflect.Type)
		}
		c.types[name] = t
		c.schemas.set(name, nil) // reserves its place, and lets a type contain itself
		c.schemas.set(name, c.shape(t))
	}
	return reference(name)
}

// componentName is the name of the component for a type; empty if it is not a
// component.
func componentName(t reflect.Type) string {
	name := t.Name()
	switch {
	case name == "", strings.Contains(name, "["):
		return ""
	case name[0] >= 'a' && name[0] <= 'z':
		return capital(path.Base(t.PkgPath())) + capital(name)
	}
	return name
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// shape is the schema of what a struct contains, or of what it is one of.
func (c *catalog) shape(t reflect.Type) *Schema {
	if !marshals(t) {
		s := newObject()
		c.addFields(s, t)
		return s
	}
	var all []*Schema
	lists := true
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			one := c.of(f.Type)
			lists = lists && one.Type == typeArray
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		panic(fmt.Sprintf("openapi: no field shows what the JSON of %v is", t))
	}
	if !lists {
		return &Schema{OneOf: all}
	}
	items := &Schema{}
	for _, list := range all {
		items.OneOf = append(items.OneOf, list.Items)
	}
	return arrayOf(items)
}

func marshals(t reflect.Type) bool {
	for _, in := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(in) || reflect.PointerTo(t).Implements(in) {
			return true
		}
	}
	return false
}

// addFields adds the fields of t to s, and those of embedded structs as if they
// were its own. No two have the same name.
func (c *catalog) addFields(s *Schema, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			c.addFields(s, f.Type)
			continue
		}
		if !f.IsExported() || name == "-" {
			continue
		}
		if name = cmp.Or(name, f.Name); s.Properties.Has(name) {
			panic(fmt.Sprintf("openapi: %v has two fields %s", t, name))
		}
		optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		if value := c.field(f, isData(t), optional); optional {
			s.addOptional(name, value)
		} else {
			s.add(name, value)
		}
	}
}

// isData reports whether t is a route.Data, whose pointer is never null.
func isData(t reflect.Type) bool {
	name, _, generic := strings.Cut(t.Name(), "[")
	return generic && name == "Data"
}

// field is the schema of a field's value.
func (c *catalog) field(f reflect.StructField, inData, optional bool) *Schema {
	s := c.of(f.Type)
	annotate(s, f)
	if f.Type.Kind() == reflect.Pointer && !optional && !inData {
		description := s.Description
		s.Description = ""
		s = s.orNull()
		s.Description = description
	}
	return s
}

// signedMin is the bound of integers that may be negative.
const signedMin = math.MinInt32

// annotate adds to the schema of a field's value what the field's Go type does
// not say, from the field's tags (package wire).
func annotate(s *Schema, f reflect.StructField) {
	s.Description = f.Tag.Get("doc")
	if s.Type == typeInteger || s.Type == typeNumber {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		s.Description = cmp.Or(s.Description, figures[name])
	}
	switch s.Type {
	case typeString:
		if format := f.Tag.Get("format"); format != "" {
			s.Format = format
		}
		if values := f.Tag.Get("enum"); values != "" {
			s.Enum = stringIn(strings.Split(values, ",")...).Enum
		}
		if only := f.Tag.Get("const"); only != "" {
			s.Const = only
		}
	case typeInteger:
		if f.Tag.Get("signed") == "true" {
			s.Minimum = new(signedMin)
		}
		if bound := number(f, "min"); bound != nil {
			s.Minimum = bound
		}
		s.Maximum = number(f, "max")
		if only := number(f, "const"); only != nil {
			s.Const, s.Minimum = *only, nil
		}
	case typeArray:
		s.MaxItems = number(f, "items")
		if values := f.Tag.Get("enum"); values != "" {
			s.Items.Enum = stringIn(strings.Split(values, ",")...).Enum
		}
	}
}

// number is a tag's integer, or nil for a field without the tag.
func number(f reflect.StructField, tag string) *int {
	text, there := f.Tag.Lookup(tag)
	if !there {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("openapi: %s of field %s: %v", tag, f.Name, err))
	}
	return &n
}
