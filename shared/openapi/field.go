package openapi

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// signedMin is the bound of integers that may be negative.
const signedMin = math.MinInt32

// annotate adds to the schema of a field's value what the field's Go type does
// not say, from the field's tags (package wire).
func annotate(s *Schema, f reflect.StructField) {
	s.Description = f.Tag.Get("doc")
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
