package statestest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// path is a reference path: $.a.b, or $$.a.b into the context.
type path struct {
	context bool
	steps   []string
}

// contexts are the paths into the context that are known.
var contexts = []string{"Execution.Id", "Execution.Name", "Map.Item.Index", "Map.Item.Value"}

func parsePath(text string) (path, error) {
	rest, ok := strings.CutPrefix(text, "$")
	if !ok {
		return path{}, fmt.Errorf("%q is no path", text)
	}
	var p path
	if rest, p.context = strings.CutPrefix(rest, "$"); rest != "" || p.context {
		rest, ok = strings.CutPrefix(rest, ".")
		p.steps = strings.Split(rest, ".")
	}
	if !ok || p.context && !slices.Contains(contexts, rest) {
		return path{}, fmt.Errorf("%q is a path of a kind that is not known", text)
	}
	for _, s := range p.steps {
		if s == "" || strings.ContainsAny(s, `[]*?@()'" `) {
			return path{}, fmt.Errorf("%q is a path of a kind that is not known", text)
		}
	}
	return p, nil
}

func (p path) String() string {
	start := "$"
	if p.context {
		start = "$$"
	}
	return strings.Join(append([]string{start}, p.steps...), ".")
}

// of is what the path leads to.
func (p path) of(d data) (any, error) {
	v := d.input
	if p.context {
		v = d.context
	}
	for _, step := range p.steps {
		object, _ := v.(map[string]any)
		next, ok := object[step]
		if !ok {
			return nil, &Failure{Name: runtimeError, Cause: p.String() + " leads to nothing"}
		}
		v = next
	}
	return v, nil
}

// put returns the input with a value where the path leads to.
func (p path) put(input, value any) (any, error) {
	if len(p.steps) == 0 {
		return value, nil
	}
	object, ok := input.(map[string]any)
	if !ok {
		return nil, &Failure{Name: runtimeError, Cause: p.String() + " leads into what is no object"}
	}
	object = maps.Clone(object) // what others hold stays
	if object == nil {
		object = map[string]any{}
	}
	if below := (path{steps: p.steps[1:]}); len(below.steps) > 0 {
		inner, there := object[p.steps[0]]
		if !there {
			inner = map[string]any{}
		}
		var err error
		if value, err = below.put(inner, value); err != nil {
			return nil, err
		}
	}
	object[p.steps[0]] = value
	return object, nil
}

// data is what paths lead into.
type data struct{ input, context any }

// template is a value with paths in it: {"a": 1, "b.$": "$.b"}.
type template struct{ value any }

func (t *template) UnmarshalJSON(raw []byte) error {
	if err := decode(raw, &t.value); err != nil {
		return err
	}
	return checkTemplate(t.value)
}

func checkTemplate(v any) error {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !strings.HasSuffix(name, ".$") {
				if err := checkTemplate(v[name]); err != nil {
					return err
				}
				continue
			}
			text, _ := v[name].(string)
			if _, err := parsePath(text); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	case []any:
		for _, one := range v {
			if err := checkTemplate(one); err != nil {
				return err
			}
		}
	}
	return nil
}

// filled is the template with what its paths lead to.
func (t *template) filled(d data) (any, error) { return fill(t.value, d) }

func fill(v any, d data) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		filled := map[string]any{}
		for name, one := range v {
			value, err := fillOne(name, one, d)
			if err != nil {
				return nil, err
			}
			filled[strings.TrimSuffix(name, ".$")] = value
		}
		return filled, nil
	case []any:
		filled := make([]any, len(v))
		for i, one := range v {
			var err error
			if filled[i], err = fill(one, d); err != nil {
				return nil, err
			}
		}
		return filled, nil
	}
	return v, nil
}

func fillOne(name string, v any, d data) (any, error) {
	if !strings.HasSuffix(name, ".$") {
		return fill(v, d)
	}
	p, err := parsePath(fmt.Sprint(v))
	if err != nil {
		return nil, err
	}
	return p.of(d)
}
