package jsonl

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is a field of a JSON object, and its value as it is written.
type Member struct {
	Name  string
	Value jsontext.Value
}

// Object is a JSON object: its fields in their order.
type Object []Member

// Split splits the text of an object; false if it is not one, with the fields before what is
// wrong.
func Split(text []byte) (Object, bool) {
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	var all Object
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return all, false
		}
		m := Member{Name: name.String()}
		v, err := d.ReadValue()
		if err != nil {
			return all, false
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

// Without is the object without some fields.
func (o Object) Without(names ...string) Object {
	return slices.DeleteFunc(slices.Clone(o), func(m Member) bool { return slices.Contains(names, m.Name) })
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

// instead are fields that stand for one value: who gives one does not keep the others.
var instead = map[string][]string{
	"kickoffLocal": {"kickoffAt"}, "kickoffAt": {"kickoffLocal"}, "kickoffTimeOpen": {"kickoffAt", "kickoffLocal"},
	"score": {"sets"}, "setPoints": {"sets"},
}

// kept are the fields of a stored record that those given to it leave as they are.
func (stored Object) kept(given Object) (all Object) {
	for _, m := range stored {
		replaced := slices.ContainsFunc(instead[m.Name], func(other string) bool {
			v := given.Of(other)
			return v != nil && (other != "sets" || v.Kind() != 'n')
		})
		if given.Of(m.Name) == nil && !replaced {
			all = append(all, m)
		}
	}
	return all
}

// Merge gives a stored record the fields of a patch (D62).
func Merge(stored, patch Object) Object {
	return append(stored.kept(patch), patch.Without("patch")...)
}

// Over gives a stored record the fields of a row of CSV, null for those that it clears
// (D62). Objects go together field by field, lists are replaced; rules that name a
// regulation are whole.
func Over(stored, row Object) Object {
	all := stored.kept(row)
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

// Extend gives a patch the stored list with the elements that it appends: the field
// more takes the place of list. An element whose id the stored list has already is
// left out, so that a patch may be loaded twice; id gives the stored form of one. It is
// false where the patch gives both fields, or more is no list.
func Extend(stored, patch Object, list, more string, id func(key string) string) (Object, bool) {
	given := patch.Of(more)
	if given == nil {
		return patch, true
	}
	added, isList := Items(given)
	if patch.Of(list) != nil || !isList && given.Kind() != 'n' {
		return nil, false
	}
	all, _ := Items(stored.Of(list))
	have := map[string]bool{}
	for _, e := range all {
		have[idOf(e, id)] = true
	}
	for _, e := range added {
		if named := idOf(e, id); named == "" || !have[named] {
			all = append(all, e)
		}
	}
	return append(patch.Without(more), Member{list, ListText(all)}), true
}

// TextOf is a value that is text, empty for none.
func TextOf(value jsontext.Value) string {
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(text)
}

// Quoted is an id, or a key, as JSON.
func Quoted[S ~string](id S) jsontext.Value {
	value, _ := jsontext.AppendQuote(nil, string(id)) // of digits, or a key that was read
	return value
}

// idOf is the id of an element in its stored form, empty where it gives none.
func idOf(element []byte, id func(string) string) string {
	o, _ := Split(element)
	key := TextOf(o.Of("id"))
	if key == "" {
		return ""
	}
	return id(key)
}

// Items are those of a list; false if the text is not one.
func Items(text jsontext.Value) (all []jsontext.Value, isList bool) {
	return all, text.Kind() == '[' && json.Unmarshal(text, &all) == nil
}

// ListText writes a list.
func ListText(values []jsontext.Value) jsontext.Value {
	text := []byte{'['}
	for i, v := range values {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, v...)
	}
	return append(text, ']')
}
