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

// path is a reference path, such as $.a.b.
type path string

// of is what the path leads to.
func (p path) of(d data) (any, error) {
	v := any(map[string]any(d))
	for step := range strings.SplitSeq(string(p), ".") {
		object, _ := v.(map[string]any)
		next, ok := object[step]
		if !ok {
			return nil, &Failure{Name: runtimeError, Cause: string(p) + " leads to nothing"}
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
	var to string // of null too
	err := json.Unmarshal(raw, &to)
	*p = place{given: true, field: strings.TrimPrefix(to, "$.")}
	return err
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

// filled is the template with what its paths lead to.
func (t template) filled(d data) (map[string]any, error) {
	filled := map[string]any{}
	for name, value := range t {
		var err error
		field, selected := strings.CutSuffix(name, ".$")
		switch inner, nested := value.(map[string]any); {
		case selected:
			value, err = path(fmt.Sprint(value)).of(d)
		case nested:
			value, err = template(inner).filled(d)
		}
		if err != nil {
			return nil, err
		}
		filled[field] = value
	}
	return filled, nil
}
