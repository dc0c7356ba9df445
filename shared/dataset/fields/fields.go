// Package fields edits the text of a record, field by field: it gives a stored record
// the fields of a patch, or of a row of CSV (D62).
package fields

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Field is a field of a JSON object, and its value as it is written.
type Field struct {
	Name  string
	Value jsontext.Value
}

// Object is a JSON object: its fields in their order.
type Object []Field

// Split splits the text of an object; false if it is not one.
func Split(text []byte) (Object, bool) {
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	var all Object
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		m := Field{Name: name.String()}
		v, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		m.Value = v.Clone()
		all = append(all, m)
	}
	t, err := d.ReadToken()
	return all, err == nil && t.Kind() == '}' && len(bytes.TrimSpace(text[d.InputOffset():])) == 0
}

// Of is the value of a field, nil where there isn't one.
func (o Object) Of(name string) jsontext.Value {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Text writes the object.
func (o Object) Text() []byte {
	text := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			text = append(text, ',')
		}
		text, _ = jsontext.AppendQuote(text, m.Name) // it was read
		text = append(append(text, ':'), m.Value...)
	}
	return append(text, '}')
}

// instead are fields that stand for one value: who gives the one does not keep
// the other.
var instead = map[string]string{"kickoffLocal": "kickoffAt", "kickoffAt": "kickoffLocal"}

// Merge gives a stored record the fields of a patch.
func Merge(stored, patch Object) Object {
	var all Object
	for _, m := range stored {
		if patch.Of(m.Name) == nil && patch.Of(instead[m.Name]) == nil {
			all = append(all, m)
		}
	}
	for _, m := range patch {
		if m.Name != "patch" {
			all = append(all, m)
		}
	}
	return all
}

// Given are the fields that are not null, in objects too.
func (o Object) Given() Object {
	var all Object
	for _, m := range o {
		switch m.Value.Kind() {
		case 'n':
			continue
		case '{':
			inside, _ := Split(m.Value) // it was read
			if inside = inside.Given(); len(inside) == 0 {
				continue
			}
			m.Value = inside.Text()
		}
		all = append(all, m)
	}
	return all
}

// Over gives a stored record the fields of a row, null for those that it clears.
// Objects go together field by field, lists are replaced; rules that name a
// regulation are whole.
func Over(stored, row Object) Object {
	var all Object
	for _, m := range stored {
		if row.Of(m.Name) == nil && row.Of(instead[m.Name]) == nil {
			all = append(all, m)
		}
	}
	for _, m := range row {
		if was := stored.Of(m.Name); m.Value.Kind() == '{' && was.Kind() == '{' {
			base, _ := Split(was)
			if fields, _ := Split(m.Value); fields.Of("like") == nil {
				m.Value = Over(base, fields).Text()
			}
		}
		all = append(all, m)
	}
	return all
}
