package route

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Form is how to write a parameter's value.
type Form string

// The forms, and the Go types whose fields they are.
const (
	FormInteger    Form = "integer"    // int, with min and max; json.Number of any size, with min
	FormBoolean    Form = "boolean"    // bool
	FormEnum       Form = "enum"       // a string type; with enum
	FormIdentifier Form = "identifier" // FilterID
	FormInstant    Form = "instant"    // Bound; with day
)

// Param describes a query parameter. It is read from the tags of an exported
// field of a parameter struct or of a struct embedded in it:
//
//	query    the name
//	default  the value of an absent parameter; absent tag: the zero value
//	min, max the bounds of an integer, required
//	enum     the values of a string, separated by commas, required
//	day      start or end: what a date alone means in a Bound, required
//	doc      one line, for documents, required
type Param struct {
	Name    string
	Form    Form
	Default string   // as in a query; empty: none
	Min     int      // of an integer
	Max     int      // of an integer; 0: none
	Enum    []string // of an enum
	Summary string
}

// Takes says for people which values the parameter takes.
func (p Param) Takes() string {
	switch p.Form {
	case FormInteger:
		to := ""
		if p.Max > 0 {
			to = fmt.Sprintf(" to %d", p.Max)
		}
		return fmt.Sprintf("a whole number from %d%s, in digits alone", p.Min, to)
	case FormBoolean:
		return "true or false"
	case FormEnum:
		return strings.Join(p.Enum[:len(p.Enum)-1], ", ") + " or " + p.Enum[len(p.Enum)-1]
	case FormIdentifier:
		return "an id, 24 lower-case hex digits; any other text is a 404"
	}
	return "a date such as 2026-05-01, or a time such as 2026-05-01T18:30Z or 2026-05-01T18:30%2B02:00"
}

// field is a Param and where its value goes.
type field struct {
	Param
	index []int
	end   bool // of a Bound: a date alone is the end of its day
}

// readQuery reads the tags of a parameter struct.
func readQuery(t reflect.Type, window bool) (*query, error) {
	if t.Kind() != reflect.Struct {
		return nil, errors.New("not a struct")
	}
	q := &query{window: window}
	if err := q.readStruct(t, nil); err != nil {
		return nil, err
	}
	q.page, q.limit = q.find("page"), q.find("limit")
	q.from, q.to = q.find("from"), q.find("to")
	q.descendants = q.find("includeDescendants")
	switch {
	case (q.page < 0) != (q.limit < 0):
		return nil, errors.New("page and limit come together")
	case (q.from < 0) != (q.to < 0):
		return nil, errors.New("from and to come together")
	case window && q.page < 0:
		return nil, errors.New("a window needs page and limit")
	}
	return q, nil
}

func (q *query) readStruct(t reflect.Type, index []int) error {
	for i := range t.NumField() {
		sf := t.Field(i)
		at := append(slices.Clone(index), i)
		if sf.Anonymous && sf.Type.Kind() == reflect.Struct {
			if err := q.readStruct(sf.Type, at); err != nil {
				return err
			}
			continue
		}
		f, err := readField(sf)
		if err != nil {
			return fmt.Errorf("field %s: %w", sf.Name, err)
		}
		f.index = at
		if q.find(f.Name) >= 0 {
			return fmt.Errorf("field %s: parameter %s is there already", sf.Name, f.Name)
		}
		q.fields = append(q.fields, f)
	}
	return nil
}

func readField(sf reflect.StructField) (field, error) {
	tag := sf.Tag
	f := field{Param: Param{Name: tag.Get("query"), Default: tag.Get("default"), Summary: tag.Get("doc")}}
	if !sf.IsExported() || f.Name == "" || f.Summary == "" {
		return f, errors.New("needs to be exported, with the tags query and doc")
	}
	var err error
	switch {
	case sf.Type == reflect.TypeFor[FilterID]():
		f.Form = FormIdentifier
	case sf.Type == reflect.TypeFor[Bound]():
		f.Form = FormInstant
		f.end = tag.Get("day") == "end"
		if day := tag.Get("day"); day != "start" && day != "end" {
			err = errors.New("a Bound needs the tag day: start or end")
		}
	case sf.Type == reflect.TypeFor[json.Number]():
		f.Form = FormInteger
		f.Min, err = strconv.Atoi(tag.Get("min"))
	case sf.Type.Kind() == reflect.Bool:
		f.Form = FormBoolean
	case sf.Type.Kind() == reflect.Int:
		f.Form = FormInteger
		err = f.readBounds(tag)
	case sf.Type.Kind() == reflect.String:
		f.Form = FormEnum
		f.Enum = strings.Split(tag.Get("enum"), ",")
		if slices.Contains(f.Enum, "") {
			err = errors.New("a string needs the tag enum")
		}
	default:
		err = fmt.Errorf("a parameter cannot be a %v", sf.Type)
	}
	if err != nil {
		return f, err
	}
	if f.Default != "" && !f.set(reflect.New(sf.Type).Elem(), f.Default) {
		return f, fmt.Errorf("default %q is not a value of it", f.Default)
	}
	return f, nil
}

func (f *field) readBounds(tag reflect.StructTag) (err error) {
	if f.Min, err = strconv.Atoi(tag.Get("min")); err != nil {
		return errors.New("an integer needs the tag min")
	}
	if f.Max, err = strconv.Atoi(tag.Get("max")); err != nil || f.Max < f.Min || f.Max > maxInteger {
		return fmt.Errorf("an integer needs the tag max, at least min and at most %d", maxInteger)
	}
	return nil
}
