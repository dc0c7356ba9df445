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
	added, isList := elements(given)
	if patch.Of(list) != nil || !isList && given.Kind() != 'n' {
		return nil, false
	}
	all, _ := elements(stored.Of(list))
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
			m = Field{list, append(append(jsontext.Value{'['}, bytes.Join(all, []byte{','})...), ']')}
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

// elements are those of a list; false if the text is not one.
func elements(text jsontext.Value) ([][]byte, bool) {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '[' {
		return nil, false
	}
	var all [][]byte
	for d.PeekKind() != ']' {
		v, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		all = append(all, v.Clone())
	}
	return all, true
}
