package statestest

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// limit is the most data that a state takes or gives, in bytes.
const limit = 256 << 10

// fits checks the size of data.
func fits(v any) error {
	raw, err := json.Marshal(v)
	if err == nil && len(raw) > limit {
		err = &Failure{Name: dataError, Cause: fmt.Sprintf("%d bytes, at most %d", len(raw), limit)}
	}
	return err
}

// data is what paths lead into: the input at "$", and for the selector of an item its
// context at "$$".
type data map[string]any

// path is a reference path, $.a.b, as its steps.
type path []string

// itemPath is the only path into the context that is known.
const itemPath = "$$.Map.Item.Value"

func parsePath(text string) (path, error) {
	p := path(strings.Split(text, "."))
	if p[0] != "$" && text != itemPath {
		return nil, fmt.Errorf("%q is no path, or one of a kind that is not known", text)
	}
	for _, step := range p[1:] {
		if step == "" || strings.ContainsAny(step, `[]*?@()'" `) {
			return nil, fmt.Errorf("%q is a path of a kind that is not known", text)
		}
	}
	return p, nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *path) UnmarshalJSON(raw []byte) (err error) {
	var text string
	if err = decode(raw, &text); err == nil {
		*p, err = parsePath(text)
	}
	return err
}

// of is what the path leads to.
func (p path) of(d data) (any, error) {
	v := any(map[string]any(d))
	for _, step := range p {
		object, _ := v.(map[string]any)
		next, ok := object[step]
		if !ok {
			return nil, &Failure{Name: runtimeError, Cause: strings.Join(p, ".") + " leads to nothing"}
		}
		v = next
	}
	return v, nil
}

// place is where a result goes: in the place of the input where none is given, nowhere
// where it is null, else into a field of the input.
type place struct {
	given bool
	field string
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *place) UnmarshalJSON(raw []byte) error {
	p.given = true
	if string(raw) == "null" {
		return nil
	}
	var to path
	if err := decode(raw, &to); err != nil {
		return err
	}
	if len(to) != 2 || to[0] != "$" {
		return fmt.Errorf("%s is a place of a kind that is not known: want null, or a field of the input", raw)
	}
	p.field = to[1]
	return nil
}

// put is the input with a result in its place.
func (p place) put(input, result any) (any, error) {
	switch {
	case !p.given:
		return result, nil
	case p.field == "":
		return input, nil
	}
	object, ok := input.(map[string]any)
	if !ok {
		return nil, &Failure{Name: runtimeError, Cause: "$." + p.field + " leads into what is no object"}
	}
	object = maps.Clone(object) // what others hold stays
	object[p.field] = result
	return object, nil
}

// template is an object with paths in it: {"a": 1, "b.$": "$.b"}. Its values are
// literals, paths and templates.
type template map[string]any

// UnmarshalJSON implements json.Unmarshaler.
func (t *template) UnmarshalJSON(raw []byte) error {
	var given map[string]json.RawMessage
	if err := decode(raw, &given); err != nil {
		return err
	}
	*t = template{}
	for name, value := range given {
		var err error
		switch field, selected := strings.CutSuffix(name, ".$"); {
		case selected:
			var p path
			err = decode(value, &p)
			(*t)[field] = p
		case value[0] == '{':
			var inner template
			err = decode(value, &inner)
			(*t)[name] = inner
		case value[0] == '[':
			err = fmt.Errorf("lists are not known")
		default:
			var v any
			err = decode(value, &v)
			(*t)[name] = v
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// filled is the template with what its paths lead to.
func (t template) filled(d data) (map[string]any, error) {
	filled := map[string]any{}
	for name, value := range t {
		var err error
		switch v := value.(type) {
		case path:
			value, err = v.of(d)
		case template:
			value, err = v.filled(d)
		}
		if err != nil {
			return nil, err
		}
		filled[name] = value
	}
	return filled, nil
}
