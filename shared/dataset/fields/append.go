package fields

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Append gives a patch the stored list with the elements that it appends: the field
// more takes the place of list. An element whose id the stored list has already is
// left out, so that a patch may be loaded twice; id gives the stored form of one. It is
// false where the patch gives both fields, or more is no list.
func Append(stored, patch Object, list, more string, id func(key string) string) (Object, bool) {
	given := patch.Of(more)
	if given == nil {
		return patch, true
	}
	added, isList := Elements(given)
	if patch.Of(list) != nil || !isList && given.Kind() != 'n' {
		return nil, false
	}
	all, _ := Elements(stored.Of(list))
	have := map[string]bool{}
	for _, e := range all {
		have[idOf(e, id)] = true
	}
	for _, e := range added {
		if named := idOf(e, id); named == "" || !have[named] {
			all = append(all, e)
		}
	}
	var out Object
	for _, m := range patch {
		if m.Name == more {
			m = Field{list, List(all)}
		}
		out = append(out, m)
	}
	return out, true
}

// idOf is the id of an element in its stored form, empty where it gives none.
func idOf(element []byte, id func(string) string) string {
	o, _ := Split(element)
	key, err := jsontext.AppendUnquote(nil, o.Of("id"))
	if err != nil || len(key) == 0 {
		return ""
	}
	return id(string(key))
}

// Elements are those of a list; false if the text is not one.
func Elements(text jsontext.Value) ([]jsontext.Value, bool) {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '[' {
		return nil, false
	}
	var all []jsontext.Value
	for d.PeekKind() != ']' {
		v, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		all = append(all, v.Clone())
	}
	return all, true
}

// List is the text of a list.
func List(elements []jsontext.Value) jsontext.Value {
	text := jsontext.Value{'['}
	for i, e := range elements {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, e...)
	}
	return append(text, ']')
}
